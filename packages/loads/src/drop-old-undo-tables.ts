import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { qualifyPlatformTable } from './own-tables.ts'
import { clearUndo } from './receipts.ts'
import { listPlatformTables } from './stage.ts'

/** Backups of replaced tables: expired, or already restored. */
export async function dropOldUndoTables(session: Session, days: number): Promise<string[]> {
  const { rows } = await session.query({
    text: `select undo->>'kept' from ${LOADS_SCHEMA}.receipts
            where undo ? 'kept' and undone_at is null and finished_at > now() - make_interval(days => $1::int)`,
    values: [String(Math.trunc(days))],
  })
  const neededNames = new Set(rows.map(([name]) => name))
  const droppedNames: string[] = []
  for (const name of await listPlatformTables(session, 'undo')) {
    if (neededNames.has(name)) continue
    await session.query({ text: 'begin' })
    await clearUndo(session, name)
    await session.query({ text: `drop table ${qualifyPlatformTable(name)}` })
    await session.query({ text: 'commit' })
    droppedNames.push(name)
  }
  return droppedNames
}
