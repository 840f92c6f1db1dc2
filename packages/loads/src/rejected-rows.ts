import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { formatArrayLiteral } from './checks.ts'

export interface RejectedRow {
  readonly row: number
  readonly line: number
  readonly column: string | null
  readonly value: string | null
  readonly reason: string
  readonly raw: string
  readonly cells?: Readonly<Record<string, string | null>>
}

const AT_ONCE = 500

export async function writeRejectedRows(
  session: Session,
  loadId: string,
  rejected: readonly RejectedRow[],
): Promise<void> {
  for (let from = 0; from < rejected.length; from += AT_ONCE) {
    const some = rejected.slice(from, from + AT_ONCE)
    await session.query({
      text: `insert into ${LOADS_SCHEMA}.quarantine (load_id, row_number, line_number, column_name, value, reason, raw, cells)
             select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])`,
      values: [
        loadId,
        formatArrayLiteral(some.map(({ row }) => String(row))),
        formatArrayLiteral(some.map(({ line }) => String(line))),
        formatArrayLiteral(some.map(({ column }) => column)),
        formatArrayLiteral(some.map(({ value }) => value)),
        formatArrayLiteral(some.map(({ reason }) => reason)),
        formatArrayLiteral(some.map(({ raw }) => raw)),
        formatArrayLiteral(some.map(({ cells }) => (cells ? JSON.stringify(cells) : null))),
      ],
    })
  }
}
