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

const BATCH_SIZE = 500

export async function writeRejectedRows(
  session: Session,
  loadId: string,
  rejected: readonly RejectedRow[],
): Promise<void> {
  for (let start = 0; start < rejected.length; start += BATCH_SIZE) {
    const batch = rejected.slice(start, start + BATCH_SIZE)
    await session.query({
      text: `insert into ${LOADS_SCHEMA}.quarantine (load_id, row_number, line_number, column_name, value, reason, raw, cells)
             select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])`,
      values: [
        loadId,
        formatArrayLiteral(batch.map(({ row }) => String(row))),
        formatArrayLiteral(batch.map(({ line }) => String(line))),
        formatArrayLiteral(batch.map(({ column }) => column)),
        formatArrayLiteral(batch.map(({ value }) => value)),
        formatArrayLiteral(batch.map(({ reason }) => reason)),
        formatArrayLiteral(batch.map(({ raw }) => raw)),
        formatArrayLiteral(batch.map(({ cells }) => (cells ? JSON.stringify(cells) : null))),
      ],
    })
  }
}
