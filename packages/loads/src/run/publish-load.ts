import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { toDurableTableName, toStagingTableName, toUndoTableName, qualifyPlatformTable } from '../own-tables.ts'
import { TOO_MANY_CHANGED, type Undo } from '../receipts.ts'
import { copyIndexes, replaceTable } from '../table-exchange.ts'
import { findTarget } from '../target.ts'
import { deleteDuplicates } from './merge.ts'
import { copySoftDeletedRows } from './changes/save-deleted.ts'
import { insertMissingDuplicates } from './existing-rows.ts'
import { saveComparison } from './shadow/save-comparison.ts'
import { createKeyReader } from './keys/key-reader.ts'
import { subtractKeySums } from './keys/key-sum.ts'
import { sumTableKeys, setTargetKeys, finishKeyReceipt } from './keys/table-keys.ts'
import type { LoadStep } from '../plan/load-plan.ts'
import type { Load } from './load.ts'
import { finishReceipt } from './progress.ts'
import { INDEX_TYPES, alterTable, joinNames } from './table-steps.ts'

export async function buildReplacement(session: Session, load: Load, steps: readonly LoadStep[]): Promise<void> {
  const name = toDurableTableName(load.loadId)
  const stagingTable = qualifyPlatformTable(name)
  // One transaction, so an interrupted attempt left all or nothing.
  if (await hasIndexes(session, stagingTable)) return
  for (const step of steps) {
    if (step.do === 'create_key') await addPrimaryKey(session, load, steps)
    if (step.do === 'create_index') {
      const method = INDEX_TYPES.find((indexType) => indexType === step.type) ?? 'btree'
      await session.query({ text: `create index on ${stagingTable} using ${method} (${quoteName(step.column)})` })
    }
  }
  await copyTableIndexes(session, load)
  await session.query({ text: `analyze ${stagingTable}` })
}

async function hasIndexes(session: Session, table: string): Promise<boolean> {
  const { rows } = await session.query({
    text: 'select 1 from pg_index where indrelid = $1::regclass limit 1',
    values: [table],
  })
  return rows.length > 0
}

/** Duplicates are removed only if creating the key fails. */
async function addPrimaryKey(session: Session, load: Load, steps: readonly LoadStep[]): Promise<void> {
  const name = toDurableTableName(load.loadId)
  const step = steps.find((loadStep) => loadStep.do === 'dedupe')
  const text = `alter table ${qualifyPlatformTable(name)} add constraint ${name}_k primary key (${joinNames(load.key)})`
  await session.query({ text: 'savepoint doubles' })
  try {
    await session.query({ text })
  } catch (error) {
    if (!step || !(error instanceof WorkspaceDbError) || error.sqlState !== SQL_STATE.UNIQUE_VIOLATION) throw error
    await session.query({ text: 'rollback to savepoint doubles' })
    const reader = createKeyReader(load)
    const keysBefore = reader && (await sumTableKeys(session, { table: qualifyPlatformTable(name), reader }))
    const merged = await deleteDuplicates(session, name, step)
    const lostHash =
      keysBefore &&
      subtractKeySums(keysBefore, await sumTableKeys(session, { table: qualifyPlatformTable(name), reader })).hash
    await session.query({
      text: `update ${LOADS_SCHEMA}.receipts set rows = rows - $2::bigint, rows_merged = rows_merged + $2::bigint,
               source_hash = source_hash - $3::numeric where load_id = $1`,
      values: [load.loadId, String(merged), String(lostHash ?? 0)],
    })
    await session.query({ text })
  }
}

async function copyTableIndexes(session: Session, load: Load): Promise<void> {
  const target = await findTarget(session, load.table)
  if (!target || target.hasDependents) return
  await copyIndexes(session, target, { stagingName: toDurableTableName(load.loadId), hasStagedKey: true })
}

export async function publishLoad(session: Session, load: Load, steps: readonly LoadStep[]): Promise<void> {
  let undo: Undo | null | undefined
  for (const step of steps) {
    if (step.do === 'drop_stage')
      await session.query({ text: `drop table if exists ${qualifyPlatformTable(toStagingTableName(load.loadId))}` })
    if (step.do === 'verify_count') await verifyRowCount(session, load)
    if (step.do === 'alter') await alterTable(session, load.table, step.change)
    if (step.do === 'swap' && load.deletedAt !== undefined) await copySoftDeletedRows(session, load, load.deletedAt)
    if (step.do === 'swap') undo = await publishReplacement(session, load)
    if (step.do === 'compare' && load.shadow) await saveComparison(session, load, load.shadow)
  }
  if (load.mode === 'append') await finishAppend(session, load)
  if (undo === undefined) undo = await readUndo(session, load)
  await deleteOlderUndos(session, load)
  await finishReceipt(session, load, { undo, note: undo === null && !load.shadow ? TOO_MANY_CHANGED : null })
}

async function finishAppend(session: Session, load: Load): Promise<void> {
  await insertMissingDuplicates(session, load)
  const reader = createKeyReader(load)
  if (reader) await finishKeyReceipt(session, load, reader)
}

async function readUndo(session: Session, { loadId }: Load): Promise<Undo | null> {
  const { rows } = await session.query({
    text: `select undo::text from ${LOADS_SCHEMA}.receipts where load_id = $1`,
    values: [loadId],
  })
  const [text] = rows[0] ?? []
  return text ? (JSON.parse(text) as Undo) : null
}

/**
 * Only the latest load can be rolled back, so older backups are dropped. A concurrent one is skipped, as waiting for it
 * could deadlock.
 */
export async function deleteOlderUndos(
  session: Session,
  { table, loadId }: Pick<Load, 'table' | 'loadId'>,
): Promise<void> {
  const { rows } = await session.query({
    text: `update ${LOADS_SCHEMA}.receipts r set undo = null, note = 'Another load came after it.' from (
             select load_id, undo->>'kept' as kept from ${LOADS_SCHEMA}.receipts
              where schema_name = $1 and table_name = $2 and load_id <> $3 and writer is not null and undo is not null
                for update skip locked) o
            where r.load_id = o.load_id returning o.kept`,
    values: [table.schema, table.table, loadId],
  })
  for (const [backupName] of rows)
    if (backupName) await session.query({ text: `drop table if exists ${qualifyPlatformTable(backupName)}` })
}

async function verifyRowCount(session: Session, load: Load): Promise<void> {
  const { loadId } = load
  const table = qualifyPlatformTable(toDurableTableName(loadId))
  const reader = createKeyReader(load)
  const keys = reader && (await sumTableKeys(session, { table, reader }))
  const actualRows = keys?.rows ?? Number((await session.query({ text: `select count(*) from ${table}` })).rows[0]?.[0])
  const { rows } = await session.query({
    text: `select rows, source_hash is not null from ${LOADS_SCHEMA}.receipts where load_id = $1`,
    values: [loadId],
  })
  const [count, hasSourceKeys] = rows[0] ?? []
  const expected = Number(count)
  if (actualRows !== expected)
    throw new Error(`The new table holds ${actualRows} rows, ${expected} were written into it.`)
  // An empty source has no keys.
  if (keys && hasSourceKeys === 't') await setTargetKeys(session, loadId, keys)
}

async function publishReplacement(session: Session, load: Load): Promise<Undo> {
  const target = await findTarget(session, load.table)
  const columns = load.columns.map(({ name }) => name)
  return await replaceTable(session, load.table, {
    stagingName: toDurableTableName(load.loadId),
    columns,
    nullable: (target?.columns ?? []).map(({ name }) => name).filter((name) => !columns.includes(name)),
    hasStagedKey: true,
    backupName: toUndoTableName(load.loadId),
  })
}
