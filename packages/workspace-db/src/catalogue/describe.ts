import type { Session } from '../session.ts'
import type { CatalogueTable } from './find-table.ts'
import { inTransaction } from '../session/in-transaction.ts'

export const KIND_KEYWORDS = {
  table: 'table',
  partitioned_table: 'table',
  view: 'view',
  materialized_view: 'materialized view',
  foreign_table: 'foreign table',
} as const satisfies Record<CatalogueTable['kind'], string>

export interface Descriptions {
  readonly table?: string | undefined
  readonly columns?: readonly { readonly name: string; readonly description: string }[] | undefined
}

/** COMMENT takes no parameters, so Postgres quotes the literal. An empty comment is removed. */
export async function describeTable(
  session: Session,
  table: CatalogueTable,
  descriptions: Descriptions,
): Promise<void> {
  await inTransaction(session, async () => {
    if (descriptions.table !== undefined) {
      await setComment(session, `${KIND_KEYWORDS[table.kind]} ${table.quoted}`, descriptions.table)
    }
    for (const { name, description } of descriptions.columns ?? []) {
      const column = table.columns.find((candidate) => candidate.name === name)
      if (column) await setComment(session, `column ${table.quoted}.${column.quoted}`, description)
    }
  })
}

async function setComment(session: Session, target: string, text: string): Promise<void> {
  const { rows } = await session.query({
    text: "select quote_nullable(nullif(replace($1::text, e'\\r\\n', e'\\n'), ''))",
    values: [text],
  })
  await session.query({ text: `comment on ${target} is ${rows[0]?.[0] ?? 'null'}` })
}
