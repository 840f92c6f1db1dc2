import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { buildIdentityOverride } from '../insert-rows.ts'
import { toUndoTableName, qualifyPlatformTable } from '../own-tables.ts'
import { ROW_NUMBER_IDENTITY } from '../stage.ts'
import type { Target } from '../target.ts'
import { type KeySum, NO_KEYS } from './keys/key-sum.ts'
import type { LoadStep } from '../plan/load-plan.ts'
import type { Load } from './load.ts'
import { recordRowTransaction } from './progress.ts'
import { joinNames } from './table-steps.ts'

/**
 * Previous versions of updated rows, kept in an undo table. Not whole once there were too many: the load can not be rolled
 * back then.
 */
export interface ReplacedVersions {
  rows: number
  isWhole: boolean
}

const MAX_UNDO_ROWS = 200_000
export const VERSION_ORDER_COLUMN = 'trellis_at'
export const VERSION_XID_COLUMN = 'trellis_from'

/** Creates the undo table, or counts what an earlier chunk has put there. */
export async function prepareReplacedVersions(
  session: Session,
  load: Pick<Load, 'loadId' | 'columns'>,
): Promise<ReplacedVersions> {
  const name = toUndoTableName(load.loadId)
  const { rows } = await session.query({ text: 'select to_regclass($1)', values: [qualifyPlatformTable(name)] })
  if (rows[0]?.[0]) {
    const count = await session.query({ text: `select count(*) from ${qualifyPlatformTable(name)}` })
    return { rows: Number(count.rows[0]?.[0]), isWhole: true }
  }
  const columns = load.columns.map((column) => `${quoteName(column.name)} ${column.postgres}`)
  await session.query({
    text: `create unlogged table ${qualifyPlatformTable(name)} (${VERSION_ORDER_COLUMN} bigint ${ROW_NUMBER_IDENTITY}, ${VERSION_XID_COLUMN} xid, ${columns.join(', ')})`,
  })
  return { rows: 0, isWhole: true }
}

type Merge = Extract<LoadStep, { do: 'merge' }>
type MergeLoad = Pick<Load, 'loadId' | 'onStatement'>
interface MergeInput {
  readonly step: Omit<Merge, 'do'>
  readonly stage: string
  readonly target: Target
  readonly kept: ReplacedVersions | undefined
  readonly staged: number
}

const DUPLICATE_KEY_CODES: readonly string[] = [SQL_STATE.CARDINALITY_VIOLATION, SQL_STATE.UNIQUE_VIOLATION]

export async function mergeStage(session: Session, load: MergeLoad, input: MergeInput) {
  const { step, stage, target } = input
  const isPrimaryKey =
    target.primaryKey.length === step.key.length && step.key.every((key) => target.primaryKey.includes(key))
  let duplicateCount = isPrimaryKey ? 0 : await deleteDuplicates(session, stage, step)
  if (isPrimaryKey) await skipUndoIfTooMany(session, load, input)
  await session.query({ text: 'savepoint merging' })
  try {
    return { merged: duplicateCount, ...(await runMerge(session, load, input)) }
  } catch (error) {
    // Deduplicating is done only after an error, since few chunks need it.
    if (!(error instanceof WorkspaceDbError) || !DUPLICATE_KEY_CODES.includes(error.sqlState ?? '')) throw error
    await session.query({ text: 'rollback to savepoint merging' })
    duplicateCount = await deleteDuplicates(session, stage, step)
    if (duplicateCount === 0) throw error
    return { merged: duplicateCount, ...(await runMerge(session, load, input)) }
  }
}

const SAMPLE_ROWS = 2_000

/** Estimates the share of updates first: keeping versions that will be discarded costs as much as the merge. */
async function skipUndoIfTooMany(session: Session, load: MergeLoad, input: MergeInput): Promise<void> {
  const { step, stage, target, kept, staged } = input
  if (!kept?.isWhole || kept.rows + staged <= MAX_UNDO_ROWS) return
  const { rows } = await session.query({
    text: `select count(*), count(*) filter (where exists (select from ${target.quoted} t where ${buildKeyCondition(step)}))
             from ${qualifyPlatformTable(stage)} s tablesample system (${(100 * SAMPLE_ROWS) / staged})`,
  })
  const [sampledRows = 0, existingRows = 0] = (rows[0] ?? []).map(Number)
  if (sampledRows > 0 && kept.rows + (staged * existingRows) / sampledRows > 1.5 * MAX_UNDO_ROWS)
    await dropUndoTable(session, load, kept)
}

async function dropUndoTable(session: Session, load: MergeLoad, keptRows: ReplacedVersions): Promise<void> {
  keptRows.isWhole = false
  await session.query({ text: `drop table ${qualifyPlatformTable(toUndoTableName(load.loadId))}` })
}

const buildKeyCondition = ({ key }: Pick<Merge, 'key'>) =>
  key.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(' and ')

/** Updates and inserts the staged rows in one statement, and keeps the versions it replaces. */
async function runMerge(session: Session, load: MergeLoad, { step, stage, target, kept }: MergeInput) {
  const { key, columns, newestBy } = step
  const nonKeyColumns = columns.filter((name) => !key.includes(name))
  const keyCondition = buildKeyCondition(step)
  const isNewerCondition =
    newestBy === null ? '' : `and (s.${quoteName(newestBy)} >= t.${quoteName(newestBy)}) is not false`
  const assignments = nonKeyColumns.map((name) => `${quoteName(name)} = s.${quoteName(name)}`).join(', ')
  const matchedClause =
    nonKeyColumns.length === 0
      ? 'when matched then do nothing'
      : `when matched ${isNewerCondition} then update set ${assignments}`
  const keepsVersions = kept?.isWhole === true
  const keepClause = keepsVersions
    ? `, kept as (insert into ${qualifyPlatformTable(toUndoTableName(load.loadId))} (${VERSION_XID_COLUMN}, ${joinNames(columns)})
         select f, ${columns.map((_, index) => `c${index}`).join(', ')} from merged where action = 'UPDATE' returning 1)`
    : ''
  const oldColumns = keepsVersions
    ? `, old.xmin as f, ${columns.map((name, index) => `old.${quoteName(name)} as c${index}`).join(', ')}`
    : ''
  const text = `with merged as (
      merge into ${target.quoted} t using ${qualifyPlatformTable(stage)} s on ${keyCondition}
      ${matchedClause}
      when not matched then insert (${joinNames(columns)}) ${buildIdentityOverride(target, columns)} values (${joinNames(columns, 's.')})
      returning merge_action() as action, ${buildKeyHash(key, 't.')} as h ${oldColumns})${keepClause}
    select count(*) filter (where action = 'UPDATE'), count(*) filter (where action = 'INSERT'),
      ${keepsVersions ? '(select count(*) from kept)' : '0'}, coalesce(sum(h), 0) from merged`
  load.onStatement?.(text)
  await session.query({ text: 'set local search_path = data' })
  const { rows } = await session.query({ text })
  await session.query({ text: 'set local search_path = pg_catalog' })
  const [updated = 0, inserted = 0, keptRows = 0] = (rows[0] ?? []).map(Number)
  const returned = { rows: updated + inserted, hash: BigInt(rows[0]?.[3] ?? 0) }
  await recordRowTransaction(session, load.loadId, updated + inserted)
  if (kept && keepsVersions) {
    kept.rows += keptRows
    if (kept.rows > MAX_UNDO_ROWS) await dropUndoTable(session, load, kept)
  }
  return { updated, written: updated + inserted, ...(await readKeyHashes(session, { step, stage, target, returned })) }
}

const buildKeyHash = (key: readonly string[], prefix: string) =>
  `pg_catalog.hashtextextended(row(${joinNames(key, prefix)})::text, 0)`

async function readKeyHashes(
  session: Session,
  {
    step: { key },
    stage,
    target,
    returned,
  }: Pick<MergeInput, 'step' | 'stage' | 'target'> & { returned: { rows: number; hash: bigint } },
): Promise<{ sourceKeys: KeySum; targetKeys: KeySum }> {
  const stagingTable = qualifyPlatformTable(stage)
  const { rows } = await session.query({
    text: `select count(*), coalesce(sum(${buildKeyHash(key, 's.')}), 0) from ${stagingTable} s`,
  })
  const [count, hash] = rows[0] ?? []
  const sourceKeys = { ...NO_KEYS, rows: Number(count), hash: BigInt(hash ?? 0) }
  // MERGE returns only what it wrote; staged rows older than the table's must be looked up.
  if (Number(count) === returned.rows) return { sourceKeys, targetKeys: { ...NO_KEYS, ...returned } }
  const { rows: tableRows } = await session.query({
    text: `select coalesce(sum(${buildKeyHash(key, 't.')}), 0) from ${stagingTable} s join ${target.quoted} t on ${buildKeyCondition({ key })}`,
  })
  return { sourceKeys, targetKeys: { ...NO_KEYS, rows: Number(count), hash: BigInt(tableRows[0]?.[0] ?? 0) } }
}

/** The greatest `newestBy` wins, otherwise the last row. */
export async function deleteDuplicates(
  session: Session,
  name: string,
  { key, newestBy }: { key: readonly string[]; newestBy: string | null },
): Promise<number> {
  const keepOrder = newestBy === null ? 'ctid desc' : `${quoteName(newestBy)} desc nulls last, ctid desc`
  const { rowCount } = await session.query({
    text: `delete from ${qualifyPlatformTable(name)} where ctid in (
             select ctid from (select ctid, row_number() over (partition by ${joinNames(key)} order by ${keepOrder}) as place
                from ${qualifyPlatformTable(name)}) ranked where place > 1)`,
  })
  return rowCount
}
