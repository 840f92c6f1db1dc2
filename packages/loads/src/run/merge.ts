import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { overrideIdentity } from '../insert-rows.ts'
import { undoTableName, toOwnTableName } from '../own-tables.ts'
import { COUNTED } from '../stage.ts'
import type { Target } from '../target.ts'
import { type KeySum, NO_KEYS } from './keys/key-sum.ts'
import type { LoadStep } from '../plan/load-plan.ts'
import type { Load } from './load.ts'
import { markRows } from './progress.ts'
import { joinNames } from './table-steps.ts'

export interface KeptRows {
  rows: number
  isWhole: boolean
}

const MAX_UNDO_ROWS = 200_000
export const AT_COLUMN = 'trellis_at'
export const FROM_COLUMN = 'trellis_from'

export async function prepareKeptRows(session: Session, load: Pick<Load, 'loadId' | 'columns'>): Promise<KeptRows> {
  const name = undoTableName(load.loadId)
  const { rows } = await session.query({ text: 'select to_regclass($1)', values: [toOwnTableName(name)] })
  if (rows[0]?.[0]) {
    const count = await session.query({ text: `select count(*) from ${toOwnTableName(name)}` })
    return { rows: Number(count.rows[0]?.[0]), isWhole: true }
  }
  const columns = load.columns.map((column) => `${quoteName(column.name)} ${column.postgres}`)
  await session.query({
    text: `create unlogged table ${toOwnTableName(name)} (${AT_COLUMN} bigint ${COUNTED}, ${FROM_COLUMN} xid, ${columns.join(', ')})`,
  })
  return { rows: 0, isWhole: true }
}

type Merge = Extract<LoadStep, { do: 'merge' }>
type MergeLoad = Pick<Load, 'loadId' | 'onStatement'>
interface MergeInput {
  readonly step: Omit<Merge, 'do'>
  readonly stage: string
  readonly target: Target
  readonly kept: KeptRows | undefined
  readonly staged: number
}

const TWICE = ['21000', '23505']

export async function merge(session: Session, load: MergeLoad, merging: MergeInput) {
  const { step, stage, target } = merging
  const isKey = target.primaryKey.length === step.key.length && step.key.every((key) => target.primaryKey.includes(key))
  let merged = isKey ? 0 : await deleteDuplicates(session, stage, step)
  if (isKey) await leaveTooMany(session, load, merging)
  await session.query({ text: 'savepoint merging' })
  try {
    return { merged, ...(await mergeOnce(session, load, merging)) }
  } catch (error) {
    // Deduplicating is done only after an error, since few chunks need it.
    if (!(error instanceof WorkspaceDbError) || !TWICE.includes(error.sqlState ?? '')) throw error
    await session.query({ text: 'rollback to savepoint merging' })
    merged = await deleteDuplicates(session, stage, step)
    if (merged === 0) throw error
    return { merged, ...(await mergeOnce(session, load, merging)) }
  }
}

const SAMPLE_ROWS = 2_000

/** Estimates the share of updates first: keeping versions that will be discarded costs as much as the merge. */
async function leaveTooMany(session: Session, load: MergeLoad, merging: MergeInput): Promise<void> {
  const { step, stage, target, kept, staged } = merging
  if (!kept?.isWhole || kept.rows + staged <= MAX_UNDO_ROWS) return
  const { rows } = await session.query({
    text: `select count(*), count(*) filter (where exists (select from ${target.quoted} t where ${onKey(step)}))
             from ${toOwnTableName(stage)} s tablesample system (${(100 * SAMPLE_ROWS) / staged})`,
  })
  const [seen = 0, known = 0] = (rows[0] ?? []).map(Number)
  if (seen > 0 && kept.rows + (staged * known) / seen > 1.5 * MAX_UNDO_ROWS) await leaveKept(session, load, kept)
}

async function leaveKept(session: Session, load: MergeLoad, keptRows: KeptRows): Promise<void> {
  keptRows.isWhole = false
  await session.query({ text: `drop table ${toOwnTableName(undoTableName(load.loadId))}` })
}

const onKey = ({ key }: Pick<Merge, 'key'>) =>
  key.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(' and ')

async function mergeOnce(session: Session, load: MergeLoad, { step, stage, target, kept }: MergeInput) {
  const { key, columns, newestBy } = step
  const others = columns.filter((name) => !key.includes(name))
  const on = onKey(step)
  const newest = newestBy === null ? '' : `and (s.${quoteName(newestBy)} >= t.${quoteName(newestBy)}) is not false`
  const sets = others.map((name) => `${quoteName(name)} = s.${quoteName(name)}`).join(', ')
  const matched =
    others.length === 0 ? 'when matched then do nothing' : `when matched ${newest} then update set ${sets}`
  const isKept = kept?.isWhole === true
  const keep = isKept
    ? `, kept as (insert into ${toOwnTableName(undoTableName(load.loadId))} (${FROM_COLUMN}, ${joinNames(columns)})
         select f, ${columns.map((_, at) => `c${at}`).join(', ')} from merged where action = 'UPDATE' returning 1)`
    : ''
  const old = isKept
    ? `, old.xmin as f, ${columns.map((name, at) => `old.${quoteName(name)} as c${at}`).join(', ')}`
    : ''
  const text = `with merged as (
      merge into ${target.quoted} t using ${toOwnTableName(stage)} s on ${on}
      ${matched}
      when not matched then insert (${joinNames(columns)}) ${overrideIdentity(target, columns)} values (${joinNames(columns, 's.')})
      returning merge_action() as action, ${keyHash(key, 't.')} as h ${old})${keep}
    select count(*) filter (where action = 'UPDATE'), count(*) filter (where action = 'INSERT'),
      ${isKept ? '(select count(*) from kept)' : '0'}, coalesce(sum(h), 0) from merged`
  load.onStatement?.(text)
  await session.query({ text: 'set local search_path = data' })
  const { rows } = await session.query({ text })
  await session.query({ text: 'set local search_path = pg_catalog' })
  const [updated = 0, inserted = 0, keptRows = 0] = (rows[0] ?? []).map(Number)
  const returned = { rows: updated + inserted, hash: BigInt(rows[0]?.[3] ?? 0) }
  await markRows(session, load.loadId, updated + inserted)
  if (kept && isKept) {
    kept.rows += keptRows
    if (kept.rows > MAX_UNDO_ROWS) await leaveKept(session, load, kept)
  }
  return { updated, written: updated + inserted, ...(await readKeyHashes(session, { step, stage, target, returned })) }
}

const keyHash = (key: readonly string[], of: string) =>
  `pg_catalog.hashtextextended(row(${joinNames(key, of)})::text, 0)`

async function readKeyHashes(
  session: Session,
  {
    step: { key },
    stage,
    target,
    returned,
  }: Pick<MergeInput, 'step' | 'stage' | 'target'> & { returned: { rows: number; hash: bigint } },
): Promise<{ sourceKeys: KeySum; targetKeys: KeySum }> {
  const own = toOwnTableName(stage)
  const { rows } = await session.query({
    text: `select count(*), coalesce(sum(${keyHash(key, 's.')}), 0) from ${own} s`,
  })
  const [count, hash] = rows[0] ?? []
  const sourceKeys = { ...NO_KEYS, rows: Number(count), hash: BigInt(hash ?? 0) }
  // MERGE returns only what it wrote; staged rows older than the table's must be looked up.
  if (Number(count) === returned.rows) return { sourceKeys, targetKeys: { ...NO_KEYS, ...returned } }
  const { rows: there } = await session.query({
    text: `select coalesce(sum(${keyHash(key, 't.')}), 0) from ${own} s join ${target.quoted} t on ${onKey({ key })}`,
  })
  return { sourceKeys, targetKeys: { ...NO_KEYS, rows: Number(count), hash: BigInt(there[0]?.[0] ?? 0) } }
}

/** The greatest `newestBy` wins, otherwise the last row. */
export async function deleteDuplicates(
  session: Session,
  name: string,
  { key, newestBy }: { key: readonly string[]; newestBy: string | null },
): Promise<number> {
  const order = newestBy === null ? 'ctid desc' : `${quoteName(newestBy)} desc nulls last, ctid desc`
  const { rowCount } = await session.query({
    text: `delete from ${toOwnTableName(name)} where ctid in (
             select ctid from (select ctid, row_number() over (partition by ${joinNames(key)} order by ${order}) as place
                from ${toOwnTableName(name)}) ranked where place > 1)`,
  })
  return rowCount
}
