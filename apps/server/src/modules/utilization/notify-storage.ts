import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { SystemCtx } from '../../platform/ctx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { findFullestAccounts } from './utilization.repository.ts'

const LEVELS = [
  { share: 1, title: 'is full', detail: 'Loads and writes stop. Delete tables or choose a larger plan.' },
  { share: 0.9, title: 'is over 90 % full', detail: 'Delete tables or choose a larger plan before it is full.' },
] as const

export async function notifyStorage(ctx: SystemCtx): Promise<void> {
  const month = ctx.clock.now().toISOString().slice(0, 7)
  for (const account of await findFullestAccounts(ctx)) {
    const limit = getPlanLimits(account.account_type).storage
    const level = limit === null ? undefined : LEVELS.find(({ share }) => account.storage >= limit * share)
    if (!level || account.levels.includes(`storage:${level.share}:${month}`)) continue
    await notify(ctx, account.admins, {
      account_id: account.id,
      workspace_id: null,
      kind: 'storage',
      title: `The storage of {account} ${level.title}`,
      detail: level.detail,
      path: `/${account.trellis_code}/settings?tab=plan-utilization`,
      group_key: `storage:${level.share}:${month}`,
    })
  }
}
