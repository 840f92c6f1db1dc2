import { undoTaskRun } from '@trellis/contract/runs/quarantine.endpoints'
import { getTaskRun } from '@trellis/contract/runs/runs.endpoints'
import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { undoLoad } from '@trellis/loads/undo'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { ledgerRows as rows, startLedgerApp } from '../../../testing/ledger-app.ts'
import { carryOutUndo, makeRunRow, writeStep } from '../../../testing/load-runs.ts'
import { killWhen } from '../../../testing/own-process.ts'
import { findDemands } from '../runner/claim.repository.ts'
import { findRecentRuns } from '../runs.repository.ts'
import { openRunDatabase, withRunSession } from '../work/loads/load-session.ts'
import { requeueLostUndos } from './undo-run.handler.ts'

const LONG_MS = 60_000
const settings = { TRELLIS_LOAD_ROWS: '3', TRELLIS_RATE_LIMITS: 'off' }
const { app, ledger, workspace, loads, source } = await startLedgerApp(settings)
const { db } = app.database

beforeEach(async () => {
  await workspace.sql('drop table if exists data.second cascade')
  await db.deleteFrom('run_undos').execute()
})

const call = async (endpoint: typeof undoTaskRun | typeof getTaskRun, code: string) =>
  await workspace.account.owner.call(endpoint, {
    params: { ...workspace.tenant, task_run_trellis_code: code },
  } as never)
const ask = (code: string) => call(undoTaskRun, code)
const details = async (code: string) => (await call(getTaskRun, code)).data as TaskRunDetails
const counts = async () =>
  await workspace.sql('select (select count(*) from data.ledger), (select count(*) from data.second)')
const undoReceipts = async () =>
  Number((await workspace.sql(`select count(*) from trellis_loads.receipts where mode = 'undo'`))[0]?.[0])

/** Two tables with four rows each; a run adds five to each, or replaces them. */
async function writtenTwice(strategy: 'Append' | 'Replace' = 'Append'): Promise<string> {
  ledger.rows = rows(4)
  const write = (table_name: string) => ({ write: writeStep({ table_name, strategy }), is_incremental: true })
  const block = loads.block(source, write('ledger'), write('second'))
  await block.run()
  ledger.rows = rows(9)
  const { rootCode } = await block.run()
  await makeRunRow(app, workspace, rootCode)
  expect(await counts()).toEqual([['9', '9']])
  return rootCode
}

async function writtenOnce(): Promise<string> {
  ledger.rows = rows(4)
  const write = (table_name: string) => ({ write: writeStep({ table_name, strategy: 'Replace' }) })
  const { rootCode } = await loads.block(source, write('ledger'), write('second')).run()
  await makeRunRow(app, workspace, rootCode)
  return rootCode
}

test('every table is brought back, and the answer tells who asked for it and how far it is', async () => {
  const code = await writtenTwice()
  expect((await ask(code)).data).toMatchObject({
    undo: {
      status: 'in_progress',
      who: expect.any(String),
      since: expect.any(String),
      finished_at: null,
      tables: 2,
      problem: null,
    },
  })
  expect(await counts()).toEqual([['9', '9']])
  await carryOutUndo(app, code)
  expect(await counts()).toEqual([['4', '4']])
  expect(await details(code)).toMatchObject({
    undo: { status: 'completed', tables: 2, tables_done: 2, rows: 10, finished_at: expect.any(String) },
    receipts: [{ can_undo: false }, { can_undo: false }],
  })
  const again = await ask(code)
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('was rolled back already')])
})

test('what was changed since is not rolled back, and the other table stays as it is', async () => {
  const code = await writtenTwice()
  await workspace.sql(`update data.second set name = 'mine' where id = 7`)
  expect((await ask(code)).status).toBe(200)
  await carryOutUndo(app, code)
  expect(await counts()).toEqual([['9', '9']])
  expect(await details(code)).toMatchObject({
    undo: { status: 'failed', problem: expect.stringContaining('changed or removed since') },
    receipts: [
      { can_undo: true, undone_at: null },
      { can_undo: true, undone_at: null },
    ],
  })
})

test('once the reason is gone it is tried again and takes back all of it', async () => {
  const code = await writtenOnce()
  await workspace.sql('create view data.names as select name from data.second')
  await ask(code)
  await carryOutUndo(app, code)
  expect(await details(code)).toMatchObject({ undo: { status: 'failed', problem: expect.stringContaining('Views') } })
  expect(await counts()).toEqual([['4', '4']])
  await workspace.sql('drop view data.names')
  expect((await ask(code)).data).toMatchObject({ undo: { status: 'in_progress', problem: null } })
  await carryOutUndo(app, code)
  expect(await details(code)).toMatchObject({ undo: { status: 'completed' } })
  expect(await workspace.sql(`select to_regclass('data.ledger'), to_regclass('data.second')`)).toEqual([[null, null]])
})

test('a run of which one table was rolled back by itself is rolled back in the others', async () => {
  const code = await writtenTwice()
  const { load_id: first = '' } = (await details(code)).receipts[0] ?? {}
  const table = { schema: 'data', table: 'ledger', mode: 'undo', source: 'Undo', by: null } as const
  await withRunSession(await database(), undefined, (session) =>
    undoLoad(session, first, { ...table, loadId: crypto.randomUUID() }),
  )
  expect(await counts()).toEqual([['4', '9']])
  expect((await ask(code)).data).toMatchObject({ undo: { tables: 1 } })
  await carryOutUndo(app, code)
  expect(await counts()).toEqual([['4', '4']])
})

const database = () =>
  openRunDatabase(app.ctx, { id: workspace.id, code: workspace.integrationCode.replace(/-db$/, '') })

/** Kills the worker once the condition holds. */
async function killedWhen(code: string, isSo: () => Promise<unknown>): Promise<void> {
  const { id } = await db.selectFrom('run_undos').select('id').where('root_code', '=', code).executeTakeFirstOrThrow()
  await killWhen(app, ['undo-worker', id], isSo)
}

test('killed between two tables: nothing is half done, and another worker does it once', async () => {
  const code = await writtenTwice()
  await ask(code)
  const { cluster, database: name } = await database()
  await cluster.withAdmin(name, async (holder) => {
    await holder.query('begin')
    await holder.query('lock table data.second in share row exclusive mode')
    await killedWhen(code, () =>
      vi.waitFor(
        async () => {
          const { rows: waiting } = await cluster.admin.query(
            `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query ~ 'second'`,
            [name],
          )
          expect(waiting).toHaveLength(1)
        },
        { timeout: LONG_MS, interval: 5 },
      ),
    )
    await holder.query('rollback')
  })
  expect(await details(code)).toMatchObject({ undo: { status: 'in_progress' } })
  expect(await counts()).toEqual([['9', '9']])
  await carryOutUndo(app, code)
  expect(await details(code)).toMatchObject({ undo: { status: 'completed', rows: 10 } })
  expect(await counts()).toEqual([['4', '4']])
  expect(await undoReceipts()).toBe(2)
})

test('killed behind the commit: the next one finds that it is done and changes nothing', async () => {
  const code = await writtenTwice()
  await ask(code)
  await db.transaction().execute(async (held) => {
    await sql`select from run_undos where root_code = ${code} for update`.execute(held)
    await killedWhen(code, () => vi.waitFor(async () => expect(await undoReceipts()).toBe(2), { timeout: LONG_MS }))
  })
  expect(await details(code)).toMatchObject({ undo: { status: 'in_progress' } })
  await carryOutUndo(app, code)
  expect(await details(code)).toMatchObject({ undo: { status: 'completed', rows: 10, problem: null } })
  expect(await counts()).toEqual([['4', '4']])
  expect(await undoReceipts()).toBe(2)
})

test('a worker that is asked to stop leaves it to the next one', async () => {
  const code = await writtenTwice()
  await ask(code)
  await expect(carryOutUndo(app, code, { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await details(code)).toMatchObject({ undo: { status: 'in_progress' } })
  await carryOutUndo(app, code)
  expect(await counts()).toEqual([['4', '4']])
})

async function queueRun(rootCode: string): Promise<{ id: number; code: string }> {
  const code = `${rootCode}-next`
  const { rows: made } = await sql<{ id: number }>`
    insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at)
    select account_id, workspace_id, dataflow_id, block_id, ${code}, 1, 'schedule', now() from task_runs
     where trellis_code = ${rootCode} returning id`.execute(db)
  return { id: made[0]?.id as number, code }
}

test('runs of the block that come due meanwhile wait for it, and it is not begun twice or beside a run', async () => {
  const code = await writtenTwice()
  await ask(code)
  const twice = await ask(code)
  expect([twice.status, twice.text]).toEqual([409, expect.stringContaining('being rolled back already')])
  const { id, code: next } = await queueRun(code)
  const asking = { worker: 'w', limits: app.config.runLimits }
  const isClaimable = async () => (await findDemands(app.ctx, asking)).queued.some((demand) => demand.id === String(id))
  expect(await isClaimable()).toBe(false)
  expect(await details(next)).toMatchObject({ status: 'QUEUED', problem: { kind: 'blocked' }, undo: null })
  await carryOutUndo(app, code)
  expect(await isClaimable()).toBe(true)
  expect(await details(next)).toMatchObject({ problem: null })
  const beside = await ask(code)
  expect([beside.status, beside.text]).toEqual([409, expect.stringContaining('The block is running')])
  await db.deleteFrom('task_runs').where('id', '=', id).execute()
})

test('whoever watches the dataflow is told of it, however long ago the run was', async () => {
  const code = await writtenTwice()
  await sql`update task_runs set finished_at = now() - interval '9 days' where trellis_code = ${code}`.execute(db)
  const flow = await db
    .selectFrom('task_runs')
    .select('dataflow_id')
    .where('trellis_code', '=', code)
    .executeTakeFirstOrThrow()
  const scope = { db, account: workspace.account, workspace }
  const told = async () => (await findRecentRuns(scope, flow.dataflow_id)).map(({ undo_status }) => undo_status)
  expect(await told()).toEqual([])
  await ask(code)
  expect(await told()).toEqual(['in_progress'])
  await carryOutUndo(app, code)
  expect(await told()).toEqual(['completed'])
})

test('an undo whose job was lost gets another one, and ends after a day', async () => {
  const code = await writtenTwice()
  await ask(code)
  const jobs = async () => {
    const { rows: found } = await sql<{ id: string }>`
      select j.id from jobs.job j join run_undos u on u.id::text = j.data->>'undo_id' where u.root_code = ${code}`.execute(
      db,
    )
    return found.length
  }
  const silent = () =>
    sql`update run_undos set beat_at = now() - interval '1 hour' where root_code = ${code}`.execute(db)
  expect(await jobs()).toBe(1)
  await silent()
  await requeueLostUndos(app.ctx)
  expect(await jobs(), 'its job is still there').toBe(1)
  await sql`delete from jobs.job where name = 'runs.take-back'`.execute(db)
  await requeueLostUndos(app.ctx)
  expect(await jobs(), 'it was looked at a moment ago').toBe(0)
  await silent()
  await requeueLostUndos(app.ctx)
  expect(await jobs()).toBe(1)
  await sql`update run_undos set created_at = now() - interval '2 days' where root_code = ${code}`.execute(db)
  await silent()
  await requeueLostUndos(app.ctx)
  expect(await details(code)).toMatchObject({
    undo: { status: 'failed', problem: expect.stringContaining('Try again') },
  })
})
