import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { explainMisfits } from '../checks.ts'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { type Target, findTarget } from '../target.ts'
import { joinNames } from './table-steps.ts'

export interface QuarantinedRow {
  readonly loadId: string
  readonly subtask: string
  readonly row: number
  readonly line: number
  readonly raw: string
  readonly column: string | null
  readonly value: string | null
  readonly reason: string
  readonly cells: Readonly<Record<string, string | null>>
  readonly state: 'waiting' | 'sent' | 'dismissed'
}

const QUARANTINE = `${LOADS_SCHEMA}.quarantine`
const RECEIPTS = `${LOADS_SCHEMA}.receipts`

/** jsonb sorts its keys by length: the columns of the table are in their own order, those it does not have at the end. */
const ORDERED_CELLS = `coalesce((select json_object_agg(e.key, e.value order by a.attnum nulls last, e.key)
     from jsonb_each(q.cells) e left join pg_catalog.pg_attribute a on a.attname = e.key and not a.attisdropped
      and a.attrelid = to_regclass(format('%I.%I', r.schema_name, r.table_name))), '{}')::text`

export async function listQuarantinedRows(
  session: Session,
  runCode: string,
  { after, limit }: { after: { loadId: string; row: number } | undefined; limit: number },
): Promise<{ rows: QuarantinedRow[]; hasMore: boolean }> {
  const result = await session.query({
    text: `select q.load_id, r.subtask, q.row_number, q.line_number, q.raw, q.column_name, q.value, q.reason, ${ORDERED_CELLS}, q.state
             from ${QUARANTINE} q join ${RECEIPTS} r using (load_id) where r.run_code = $1
              and ($2::uuid is null or (q.load_id, q.row_number) > ($2::uuid, $3::bigint))
            order by q.load_id, q.row_number limit ${Math.trunc(limit) + 1}`,
    values: [runCode, after?.loadId ?? null, after ? String(after.row) : null],
  })
  if (result.rows.length === 0 && result.cutAt !== undefined)
    throw new WorkspaceDbError({
      code: 'refused',
      message: 'A rejected row is larger than 10 MB and can not be shown.',
    })
  return {
    rows: result.rows.slice(0, limit).map(toQuarantinedRow),
    hasMore: result.rows.length > limit || result.cutAt !== undefined,
  }
}

function toQuarantinedRow(cells: readonly (string | null)[]): QuarantinedRow {
  const [loadId, subtask, row, line, raw, column, value, reason, values, state] = cells
  return {
    loadId: loadId ?? '',
    subtask: subtask ?? '',
    row: Number(row),
    line: Number(line ?? row),
    raw: raw ?? '',
    column: column ?? null,
    value: value ?? null,
    reason: reason ?? '',
    cells: JSON.parse(values ?? '{}') as Record<string, string | null>,
    state: (state ?? 'waiting') as QuarantinedRow['state'],
  }
}

export async function countWaitingRows(session: Session, runCode: string): Promise<number> {
  const { rows } = await session.query({
    text: `select count(*) from ${QUARANTINE} q join ${RECEIPTS} r using (load_id) where r.run_code = $1 and q.state = 'waiting'`,
    values: [runCode],
  })
  return Number(rows[0]?.[0])
}

/** Columns of all rejected rows of a run, in the order of the tables. */
export async function listRejectedColumns(session: Session, runCode: string): Promise<string[]> {
  const { rows } = await session.query({
    text: `with cells as (select distinct r.schema_name, r.table_name, c.name
                from ${RECEIPTS} r join ${QUARANTINE} q using (load_id) cross join lateral jsonb_object_keys(q.cells) c (name)
               where r.run_code = $1)
           select c.name from cells c left join pg_catalog.pg_attribute a on a.attname = c.name and not a.attisdropped
              and a.attrelid = to_regclass(format('%I.%I', c.schema_name, c.table_name))
            group by c.name order by min(a.attnum) nulls last, c.name`,
    values: [runCode],
  })
  return rows.map(([name]) => name ?? '')
}

/** A rejected row that is sent again with corrected values, or dismissed. */
export interface RowToSettle {
  readonly loadId: string
  readonly row: number
  readonly values: Readonly<Record<string, string | null>>
}

export interface Refusal {
  readonly loadId: string
  readonly row: number
  readonly column: string | null
  readonly reason: string
}

/** Locks the row. Undefined if another call has settled it. */
async function lockWaitingRow(session: Session, runCode: string, { loadId, row }: RowToSettle) {
  const { rows } = await session.query({
    text: `select coalesce(q.cells, '{}')::text, r.schema_name, r.table_name, r.mode from ${QUARANTINE} q join ${RECEIPTS} r using (load_id)
            where r.run_code = $1 and q.load_id = $2 and q.row_number = $3 and q.state = 'waiting' for update of q`,
    values: [runCode, loadId, String(row)],
  })
  const [waitingRow] = rows
  if (!waitingRow) return undefined
  const [cells, schema = '', table = '', mode] = waitingRow
  return {
    cells: JSON.parse(cells ?? '{}') as Record<string, string | null>,
    name: { schema: schema ?? '', table: table ?? '' },
    mode: mode ?? '',
  }
}

async function markRowSent(session: Session, { loadId, row, values }: RowToSettle): Promise<void> {
  await session.query({
    text: `update ${QUARANTINE} set state = 'sent', cells = coalesce(cells, '{}') || $3::jsonb where load_id = $1 and row_number = $2`,
    values: [loadId, String(row), JSON.stringify(values)],
  })
}

async function markRowDismissed(session: Session, { loadId, row }: RowToSettle): Promise<void> {
  await session.query({
    text: `update ${QUARANTINE} set state = 'dismissed' where load_id = $1 and row_number = $2`,
    values: [loadId, String(row)],
  })
}

/** In the caller's transaction. Returns how many rows were still waiting. */
export async function dismissRows(session: Session, runCode: string, rows: readonly RowToSettle[]): Promise<number> {
  let settled = 0
  for (const row of rows) {
    if (!(await lockWaitingRow(session, runCode, row))) continue
    await markRowDismissed(session, row)
    settled += 1
  }
  return settled
}

/** In the caller's transaction; returns why rows still do not fit. */
export async function sendRows(
  session: Session,
  runCode: string,
  rows: readonly RowToSettle[],
): Promise<{ settled: number; refused: Refusal[] }> {
  const refusals: Refusal[] = []
  let settled = 0
  for (const row of rows) {
    const waitingRow = await lockWaitingRow(session, runCode, row)
    if (!waitingRow) continue
    const target = await findTarget(session, waitingRow.name)
    const problem = target
      ? await sendRow(session, target, { cells: { ...waitingRow.cells, ...row.values }, mode: waitingRow.mode })
      : { column: null, reason: `There is no table "${waitingRow.name.table}" any more.` }
    if (problem) {
      refusals.push({ loadId: row.loadId, row: row.row, ...problem })
      continue
    }
    await markRowSent(session, row)
    await countSentRow(session, row.loadId)
    settled += 1
  }
  return { settled, refused: refusals }
}

/** Rows sent later cannot be distinguished, so the load can no longer be rolled back. */
async function countSentRow(session: Session, loadId: string): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set rows = rows + 1, quarantined = quarantined - 1, undo = null,
             note = 'Rejected rows were loaded since.' where load_id = $1`,
    values: [loadId],
  })
}

type RowProblem = Pick<Refusal, 'column' | 'reason'>

async function sendRow(
  session: Session,
  target: Target,
  { cells, mode }: { cells: Readonly<Record<string, string | null>>; mode: string },
): Promise<RowProblem | undefined> {
  const columns = target.columns.filter(({ name, isGenerated }) => Object.hasOwn(cells, name) && !isGenerated)
  const values = columns.map(({ name }) => cells[name] ?? null)
  const valuesToCheck = columns.flatMap(({ name, type }, index) => {
    const value = values[index]
    return value === null || value === undefined ? [] : [{ column: name, type, value }]
  })
  const reasons = await explainMisfits(session, valuesToCheck)
  const firstMisfit = reasons.findIndex((reason) => reason !== null)
  if (firstMisfit >= 0)
    return { column: valuesToCheck[firstMisfit]?.column ?? null, reason: reasons[firstMisfit] ?? '' }
  const columnWithoutValue = columns.find(
    ({ isNullable, hasDefault }, index) => !isNullable && !hasDefault && values[index] === null,
  )
  if (columnWithoutValue)
    return { column: columnWithoutValue.name, reason: 'The value is missing, and the column must have one.' }
  const names = columns.map(({ name }) => name)
  const nonKeyColumns = names.filter((name) => !target.primaryKey.includes(name))
  const isUpsert = mode === 'upsert' && target.primaryKey.length > 0 && nonKeyColumns.length > 0
  const conflict = isUpsert
    ? `on conflict (${joinNames(target.primaryKey)}) do update set ${nonKeyColumns.map((name) => `${quoteName(name)} = excluded.${quoteName(name)}`).join(', ')}`
    : ''
  const parameters = columns.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ')
  await session.query({ text: 'savepoint sending' })
  try {
    await session.query({ text: 'set local search_path = data' })
    await session.query({
      text: `insert into ${target.quoted} (${joinNames(names)}) overriding system value values (${parameters}) ${conflict}`,
      values,
    })
    await session.query({ text: 'set local search_path = pg_catalog' })
    return undefined
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'statement_failed') throw error
    await session.query({ text: 'rollback to savepoint sending' })
    return { column: null, reason: error.message }
  }
}
