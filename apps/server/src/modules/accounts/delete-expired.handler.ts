import { EXPIRED_DATA_DAYS, EXPIRED_NOTICE_DAYS } from '@trellis/contract/billing/plans'
import { transaction } from '@trellis/control-db/database'
import type { SystemCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { expiredDataMail } from '../../platform/mail/templates/expired-data.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { queueProviderUpdate } from '../billing/deleted-account.service.ts'
import { markAccountDeleted } from './accounts.repository.ts'
import {
  type ExpiredAccount,
  listAccountsToDelete,
  listOwnerAndAdmins,
  lockAccountToDelete,
  claimAccountsToWarn,
} from './expired.repository.ts'

const DAY = 86_400_000
const LIMITS = { dataDays: EXPIRED_DATA_DAYS, noticeDays: EXPIRED_NOTICE_DAYS }

export async function handleDeleteExpiredAccounts(ctx: SystemCtx): Promise<void> {
  await transaction(ctx, async (ctx) => {
    for (const account of await claimAccountsToWarn(ctx, EXPIRED_DATA_DAYS - EXPIRED_NOTICE_DAYS))
      await warn(ctx, account)
  })
  for (const id of await listAccountsToDelete(ctx, LIMITS)) await deleteExpired(ctx, id)
}

async function warn(ctx: SystemCtx, account: ExpiredAccount): Promise<void> {
  const noticeEnds = ctx.clock.now().getTime() + EXPIRED_NOTICE_DAYS * DAY
  const dataEnds = account.stripe_plan_end_date.getTime() + EXPIRED_DATA_DAYS * DAY
  const on = new Date(Math.max(noticeEnds, dataEnds)).toISOString().slice(0, 10)
  for (const person of await listOwnerAndAdmins(ctx, account.id)) {
    const mail = expiredDataMail({
      firstName: person.first_name,
      accountName: account.name,
      on,
      publicUrl: ctx.ports.config.publicUrl,
    })
    await queueMail(ctx, { to: person.email, mail })
  }
  await writeAudit(ctx, {
    action: 'expiredAccountWarned',
    outcome: 'done',
    accountId: account.id,
    detail: { on },
    requestId: ctx.requestId,
  })
}

async function deleteExpired(ctx: SystemCtx, id: number): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const account = await lockAccountToDelete(ctx, id, LIMITS)
    if (!account) return
    await markAccountDeleted(ctx, id, null)
    await queueProviderUpdate(ctx, id)
    await writeAudit(ctx, {
      action: 'expiredAccountDeleted',
      outcome: 'done',
      accountId: id,
      detail: { name: account.name, account: account.trellis_code },
      requestId: ctx.requestId,
    })
  })
}
