import type { SystemCtx } from '../../platform/ctx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { findAccountsLowOnCredits } from './credits.repository.ts'
import { monthStart } from './credits.service.ts'

const LEVELS = [
  { left: 0, title: 'are used up', detail: 'Buy credits or choose a larger plan. Answers by rules stay free.' },
  { left: 0.1, title: 'are nearly used up', detail: 'Less than 10 % is left. Buy credits or choose a larger plan.' },
] as const

export async function handleNotifyLowCredits(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  const month = now.toISOString().slice(0, 7)
  for (const account of await findAccountsLowOnCredits(ctx, { now, monthStart: monthStart(now) })) {
    const level = LEVELS.find(({ left }) => account.remaining <= account.available * left)
    if (!level || account.levels.includes(`credits:${level.left}:${month}`)) continue
    await notify(ctx, account.admins, {
      account_id: account.id,
      workspace_id: null,
      kind: 'credits',
      title: `The AI credits of {account} ${level.title}`,
      detail: level.detail,
      path: `/${account.trellis_code}/settings?tab=plan-utilization`,
      group_key: `credits:${level.left}:${month}`,
    })
  }
}
