import { randomUUID } from 'node:crypto'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { type TestWorkspace, testCluster, testWorkspace } from '@trellis/workspace-db/testing'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toUndoTableName, qualifyPlatformTable, toStageName } from './own-tables.ts'
import { FencedOff } from './plan/fence.ts'
import { type Delivery, StageLost, deliver } from './publish.ts'
import { findReceipt } from './receipts.ts'
import { createStage } from './stage.ts'
import { copyIndexes, replaceTable } from './table-exchange.ts'
import { getTarget } from './target.ts'
import { undoLoad } from './undo.ts'
import { raiseFence } from './writers.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
})

const inSession = <T>(work: (session: Session) => Promise<T>) => {
  const { database, credentials } = workspace
  return withSession(cluster, { database, credentials, role: 'rw', isPlain: true }, work)
}
const sql = async (text: string) => (await inSession((session) => session.query({ text }))).rows
const readGoods = () => sql('select id, name from data.goods order by id')
const readIndexNames = async () =>
  (await sql(`select indexname from pg_indexes where tablename = 'goods' order by 1`)).flat()

beforeEach(async () => {
  await sql('drop table if exists data.goods cascade')
  await sql('delete from trellis_loads.receipts')
  await sql('create table data.goods (id int constraint goods_number primary key, name text)')
  await sql(`insert into data.goods values (1, 'nail'), (2, 'screw')`)
})

type Mode = Delivery['receipt']['mode']

async function stage(mode: Mode, values: string, more: Partial<Delivery['receipt']> = {}): Promise<Delivery> {
  const loadId = randomUUID()
  const name = toStageName(loadId, 1)
  await inSession(async (session) => {
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'text' },
    ]
    await createStage(session, { name, columns, isLogged: true })
    await session.query({ text: `insert into ${qualifyPlatformTable(name)} values ${values}` })
  })
  const rows = Number((await sql(`select count(*) from ${qualifyPlatformTable(name)}`))[0]?.[0])
  const receipt = { loadId, schema: 'data', table: 'goods', mode, source: 'Test', by: null, ...more }
  return { receipt, stage: name, isNumbered: false, columns: ['id', 'name'], rows, rejected: [] }
}

const put = (delivery: Delivery) => inSession((session) => deliver(session, delivery))
const takeBack = (loadId: string) =>
  inSession((session) =>
    undoLoad(session, loadId, {
      loadId: randomUUID(),
      schema: 'data',
      table: 'goods',
      mode: 'undo',
      source: 'Undo',
      by: null,
    }),
  )

describe.each([
  ['append', `(3, 'bolt'), (4, 'pin')`, ['1 nail', '2 screw', '3 bolt', '4 pin']],
  ['replace', `(2, 'bolt')`, ['2 bolt']],
  ['upsert', `(2, 'bolt'), (3, 'pin')`, ['1 nail', '2 bolt', '3 pin']],
] as const)('%s', (mode, values, expected) => {
  test('writes once, has a receipt and is rolled back', async () => {
    const delivery = await stage(mode, values)
    const receipt = await put(delivery)
    expect(receipt).toMatchObject({ mode, rows: delivery.rows, isUndone: false })
    expect((await readGoods()).map((row) => row.join(' '))).toEqual(expected)
    expect(await put(delivery)).toEqual(receipt)
    expect((await readGoods()).map((row) => row.join(' '))).toEqual(expected)
    await takeBack(receipt.loadId)
    expect(await readGoods()).toEqual([
      ['1', 'nail'],
      ['2', 'screw'],
    ])
    expect(await readIndexNames()).toEqual(['goods_number'])
  })

  test('keeps rejected rows with the load', async () => {
    const delivery = await stage(mode, values)
    const rejected = [{ row: 7, line: 8, column: 'id', value: 'x', reason: 'Not a number.', raw: 'x,y' }]
    const { loadId } = await put({ ...delivery, rejected })
    expect(
      await sql(
        `select row_number, line_number, reason, raw, cells from trellis_loads.quarantine where load_id = '${loadId}'`,
      ),
    ).toEqual([['7', '8', 'Not a number.', 'x,y', null]])
    expect(await sql(`select rows_read, quarantined from trellis_loads.receipts where load_id = '${loadId}'`)).toEqual([
      [String(delivery.rows + 1), '1'],
    ])
  })

  test('stops when rows of its stage are lost', async () => {
    const delivery = await stage(mode, values)
    await sql(`delete from ${qualifyPlatformTable(delivery.stage)} where id = 2 or id = 4`)
    await expect(put(delivery)).rejects.toThrow(StageLost)
    expect(await readGoods()).toHaveLength(2)
  })

  test('of a worker that was stopped writes nothing', async () => {
    const fence = { writer: `test-${randomUUID()}`, epoch: 1 }
    const delivery = await stage(mode, values, { fence })
    await raiseFence(cluster, workspace, { writer: fence.writer, epoch: 2 })
    await expect(put(delivery)).rejects.toThrow(FencedOff)
    expect(await readGoods()).toHaveLength(2)
    expect(await inSession((session) => findReceipt(session, delivery.receipt.loadId))).toBeUndefined()
    expect(await put({ ...delivery, receipt: { ...delivery.receipt, fence: { ...fence, epoch: 2 } } })).toMatchObject({
      mode,
    })
  })
})

test('a table that is replaced keeps names and comments of its indexes', async () => {
  await sql('create index by_name on data.goods (lower(name))')
  await sql(`comment on index data.by_name is 'for the search'`)
  const { loadId } = await put(await stage('replace', `(9, 'cog')`))
  expect(await readIndexNames()).toEqual(['by_name', 'goods_number'])
  expect(await sql(`select obj_description('data.by_name'::regclass)`)).toEqual([['for the search']])
  await takeBack(loadId)
  expect(await readIndexNames()).toEqual(['by_name', 'goods_number'])
})

test('an index that somebody made while the new table was built is there too', async () => {
  const { stage: staged, receipt } = await stage('replace', `(9, 'cog')`)
  const kept = toUndoTableName(receipt.loadId)
  await inSession(async (session) => {
    const target = await getTarget(session, receipt)
    await copyIndexes(session, target, { stagingName: staged, hasStagedKey: false })
    await session.query({ text: 'create index a_late_one on data.goods (name)' })
    const replacement = {
      stagingName: staged,
      columns: ['id', 'name'],
      nullable: [],
      hasStagedKey: false,
      backupName: kept,
    }
    await inTransaction(session, () => replaceTable(session, receipt, replacement))
  })
  expect(await readGoods()).toEqual([['9', 'cog']])
  expect(await readIndexNames()).toEqual(['a_late_one', 'goods_number'])
})

test('a table that is rolled back and brought back has the indexes it had', async () => {
  await sql('drop table data.goods')
  const { loadId } = await put(await stage('new', `(9, 'cog')`))
  await sql('create index by_name on data.goods (name)')
  const undo = await takeBack(loadId)
  expect(await sql(`select to_regclass('data.goods')`)).toEqual([[null]])
  await takeBack(undo.loadId)
  expect(await readGoods()).toEqual([['9', 'cog']])
  expect(await readIndexNames()).toEqual(['by_name'])
})

test('an index of a column with a long name is named after its table', async () => {
  await sql('drop table data.goods')
  const delivery = await stage('new', `(9, 'cog')`)
  const column = 'the_day_on_which_it_was_delivered'
  await sql(`alter table ${qualifyPlatformTable(delivery.stage)} add column ${column} date`)
  await sql(`create index on ${qualifyPlatformTable(delivery.stage)} (${column})`)
  await put(delivery)
  expect(await readIndexNames()).toEqual([`goods_${column}_idx`])
})

describe('receipts of before', () => {
  test('an append that names its transaction is rolled back', async () => {
    const { rows } = await workspace.runAll('rw', [
      'begin',
      `insert into data.goods values (3, 'bolt')`,
      `insert into trellis_loads.receipts (load_id, schema_name, table_name, mode, source, rows, undo)
       values (gen_random_uuid(), 'data', 'goods', 'append', 'Upload of old.csv', 1,
               jsonb_build_object('kind', 'rows', 'transaction', pg_current_xact_id()::text, 'rows', 1))`,
      'commit',
      `select load_id from trellis_loads.receipts`,
    ])
    expect(await takeBack(rows[0]?.[0] ?? '')).toMatchObject({ mode: 'undo', rows: 1 })
    expect(await readGoods()).toHaveLength(2)
  })

  test('a table that was put aside without the names of its indexes comes back', async () => {
    const kept = `undo_${randomUUID().replaceAll('-', '')}`
    const { rows } = await workspace.runAll('rw', [
      `alter index data.goods_number rename to ${kept}_i0`,
      `alter table data.goods rename to ${kept}`,
      `alter table data.${kept} set schema trellis_loads`,
      `insert into trellis_loads.receipts (load_id, schema_name, table_name, mode, source, rows, undo)
       values (gen_random_uuid(), 'data', 'goods', 'undo', 'Undo', 2, '{"kind":"restore","kept":"${kept}"}')`,
      `select load_id from trellis_loads.receipts`,
    ])
    await takeBack(rows[0]?.[0] ?? '')
    expect(await readGoods()).toHaveLength(2)
    expect(await readIndexNames()).toEqual(['goods_pkey'])
  })
})

test('an upsert tells how many rows it changed, and is not rolled back once one of them was changed again', async () => {
  const { loadId } = await put(await stage('upsert', `(2, 'bolt'), (3, 'pin')`))
  expect(await sql(`select rows, rows_updated from trellis_loads.receipts where load_id = '${loadId}'`)).toEqual([
    ['2', '1'],
  ])
  await sql(`update data.goods set name = 'mine' where id = 2`)
  await expect(takeBack(loadId)).rejects.toThrow('changed or removed since')
  expect(await readGoods()).toHaveLength(3)
})

test('sequences of unlogged tables of a load are logged, so that a promoted replica can go on with it', async () => {
  await put(await stage('upsert', `(1, 'bolt')`))
  const columns = [{ name: 'id', type: 'integer' }]
  const name = toStageName(randomUUID(), 1)
  await inSession((session) => createStage(session, { name, columns, isLogged: false, isNumbered: 'by_itself' }))
  const kinds = await sql(
    `select relkind, relpersistence, count(*) > 1 from pg_class
      where relnamespace = 'trellis_loads'::regnamespace and relname ~ '^(undo|stage)_.*' and relkind in ('r', 'S')
        and (relkind = 'S' or relpersistence = 'u') group by 1, 2 order by 1`,
  )
  expect(kinds).toEqual([
    ['S', 'p', 't'],
    ['r', 'u', 't'],
  ])
})

test('an upsert with values for an identity column takes them as they are', async () => {
  await sql('drop table data.goods')
  await sql('create table data.goods (id int generated always as identity primary key, name text)')
  await sql(`insert into data.goods (name) values ('nail')`)
  await put(await stage('upsert', `(1, 'bolt'), (7, 'pin')`))
  expect(await readGoods()).toEqual([
    ['1', 'bolt'],
    ['7', 'pin'],
  ])
})
