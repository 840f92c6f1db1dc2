import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'

export async function findCursor(
  session: Session,
  { writer, reads }: { writer: string; reads: string },
): Promise<unknown> {
  const { rows } = await session.query({
    text: `select cursor::text from ${LOADS_SCHEMA}.writers where writer = $1 and reads = $2`,
    values: [writer, reads],
  })
  return JSON.parse(rows[0]?.[0] ?? 'null') as unknown
}

export async function readCursors(session: Session, writers: readonly string[]): Promise<Map<string, unknown>> {
  if (writers.length === 0) return new Map()
  const { rows } = await session.query({
    text: `select writer, cursor::text from ${LOADS_SCHEMA}.writers
            where writer in (select jsonb_array_elements_text($1::jsonb)) and cursor is not null`,
    values: [JSON.stringify(writers)],
  })
  return new Map(rows.map(([writer, cursor]) => [writer ?? '', JSON.parse(cursor ?? 'null') as unknown]))
}
