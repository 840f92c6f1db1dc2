import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { arrayText } from './checks.ts'

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
        arrayText(some.map(({ row }) => String(row))),
        arrayText(some.map(({ line }) => String(line))),
        arrayText(some.map(({ column }) => column)),
        arrayText(some.map(({ value }) => value)),
        arrayText(some.map(({ reason }) => reason)),
        arrayText(some.map(({ raw }) => raw)),
        arrayText(some.map(({ cells }) => (cells ? JSON.stringify(cells) : null))),
      ],
    })
  }
}
