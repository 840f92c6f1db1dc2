import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { toDurableTableName, qualifyPlatformTable } from '../../own-tables.ts'
import type { Load } from '../load.ts'
import { compareWithTable } from './compare.ts'
import type { Comparison, DryRun } from './comparison.ts'

const COMPARISONS = `${LOADS_SCHEMA}.comparisons`
const MAX_SAMPLE_MISFITS = 20

export async function saveComparison(session: Session, load: Load, shadow: DryRun): Promise<void> {
  const comparisonCounts = await compareWithTable(session, load, shadow)
  const comparison: Comparison = {
    ...comparisonCounts,
    ...(await readMisfits(session, load.loadId)),
    subtask: load.origin.subtask,
    schema: shadow.comparedTable.schema,
    table: shadow.comparedTable.table,
    strategy: shadow.strategy,
    columns: load.columns.map(({ name }) => name),
    notes: shadow.notes,
  }
  await session.query({
    text: `insert into ${COMPARISONS} (load_id, run_code, found) values ($1, $2, $3::jsonb)
           on conflict (load_id) do update set found = excluded.found, at = clock_timestamp()`,
    values: [load.loadId, load.origin.runCode, JSON.stringify(comparison)],
  })
  await session.query({ text: `drop table ${qualifyPlatformTable(toDurableTableName(load.loadId))}` })
  await session.query({ text: `delete from ${LOADS_SCHEMA}.quarantine where load_id = $1`, values: [load.loadId] })
}

async function readMisfits(session: Session, loadId: string): Promise<Pick<Comparison, 'misfits' | 'rejected'>> {
  const { rows } = await session.query({
    text: `select row_number, column_name, left(value, 200), reason, count(*) over ()
             from ${LOADS_SCHEMA}.quarantine where load_id = $1 order by row_number limit ${MAX_SAMPLE_MISFITS}`,
    values: [loadId],
  })
  return {
    rejected: Number(rows[0]?.[4] ?? 0),
    misfits: rows.map(([row, column, value, reason]) => ({
      row: Number(row),
      column: column ?? null,
      value: value ?? null,
      reason: reason ?? '',
    })),
  }
}

export async function getComparison(session: Session, loadId: string): Promise<Comparison> {
  const { rows } = await session.query({
    text: `select found::text from ${COMPARISONS} where load_id = $1`,
    values: [loadId],
  })
  if (!rows[0]?.[0]) throw new Error('The comparison of a dry run is gone.')
  return JSON.parse(rows[0][0]) as Comparison
}

export async function listComparisons(session: Session, runCode: string): Promise<Comparison[]> {
  const { rows } = await session.query({
    text: `select found::text from ${COMPARISONS} where run_code = $1 order by found->>'subtask' limit 500`,
    values: [runCode],
  })
  return rows.map(([comparisonText]) => JSON.parse(comparisonText ?? '{}') as Comparison)
}

export async function dropOldComparisons(session: Session, days: number): Promise<number> {
  const { rowCount } = await session.query({
    text: `delete from ${COMPARISONS} where at < now() - make_interval(days => $1::int)`,
    values: [String(days)],
  })
  return rowCount
}
