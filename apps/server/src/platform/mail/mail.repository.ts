import { type AnyDb, platformTables } from '@trellis/control-db/database'
import type { Mail } from './templates/layout.ts'

/** Accounts' use cases may write to the outbox in their own transactions. */
export interface MailCtx {
  readonly db: AnyDb
}

export interface OutboxRow {
  id: number
  message_id: string
  to_address: string
  subject: string
  html: string
  text: string
  attempts: number
}

export async function insertMail(
  ctx: MailCtx,
  row: Mail & { to_address: string; message_id: string; next_attempt_at: Date },
) {
  return await platformTables(ctx).insertInto('mail_outbox').values(row).returning('id').executeTakeFirstOrThrow()
}

/** The row lock is released if the worker is killed. */
export async function lockQueuedMail(ctx: MailCtx, id: number): Promise<OutboxRow | undefined> {
  return await platformTables(ctx)
    .selectFrom('mail_outbox')
    .select(['id', 'message_id', 'to_address', 'subject', 'html', 'text', 'attempts'])
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export type MailEnd = { status: 'sent'; sent_at: Date } | { status: 'failed'; last_error: string }

/** Bodies contain codes, so they are deleted. */
export async function endMail(ctx: MailCtx, row: OutboxRow, end: MailEnd): Promise<void> {
  const last_error = end.status === 'failed' ? end.last_error : null
  await platformTables(ctx)
    .updateTable('mail_outbox')
    .set({
      ...end,
      last_error,
      attempts: row.attempts + 1,
      html: '',
      text: '',
      subject: row.subject.replaceAll(/\d/g, '•'),
    })
    .where('id', '=', row.id)
    .execute()
}

export async function postponeMail(
  ctx: MailCtx,
  row: OutboxRow,
  change: { last_error: string; next_attempt_at: Date },
): Promise<void> {
  await platformTables(ctx)
    .updateTable('mail_outbox')
    .set({ ...change, attempts: row.attempts + 1 })
    .where('id', '=', row.id)
    .execute()
}

export async function listOverdueMail(ctx: MailCtx, before: Date): Promise<number[]> {
  const rows = await platformTables(ctx)
    .selectFrom('mail_outbox')
    .select('id')
    .where('status', '=', 'queued')
    .where('next_attempt_at', '<', before)
    .orderBy('next_attempt_at')
    .limit(500)
    .execute()
  return rows.map((row) => row.id)
}

export async function deleteOldMail(ctx: MailCtx, before: Date): Promise<void> {
  await platformTables(ctx)
    .deleteFrom('mail_outbox')
    .where('created_at', '<', before)
    .where('status', '!=', 'queued')
    .execute()
  await platformTables(ctx).deleteFrom('mailbox_messages').where('received_at', '<', before).execute()
}
