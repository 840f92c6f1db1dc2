import type { MailboxMessage, MailboxSummary } from '@trellis/contract/mailbox/mailbox.schemas'
import type { Db } from '@trellis/control-db/database'

const PAGE = 50

const columns = ['id', 'to_address as to', 'from_address as from', 'subject', 'received_at'] as const

const toResponse = <T extends { received_at: Date }>(row: T) => ({ ...row, received_at: row.received_at.toISOString() })

export async function findMailboxMessages(
  { db }: { readonly db: Db },
  page: { search: string | undefined; beforeId: number | undefined },
): Promise<MailboxSummary[]> {
  const pattern = `%${(page.search ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const rows = await db
    .selectFrom('mailbox_messages')
    .select(columns)
    .$if(page.beforeId !== undefined, (query) => query.where('id', '<', page.beforeId as number))
    .$if(Boolean(page.search), (query) =>
      query.where((where) => where.or([where('to_address', 'ilike', pattern), where('subject', 'ilike', pattern)])),
    )
    .orderBy('id', 'desc')
    .limit(PAGE)
    .execute()
  return rows.map((row) => toResponse(row))
}

export async function findMailboxMessage({ db }: { readonly db: Db }, id: number): Promise<MailboxMessage | undefined> {
  const row = await db
    .selectFrom('mailbox_messages')
    .select([...columns, 'html', 'text'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toResponse(row)
}
