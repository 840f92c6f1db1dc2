import * as calls from '@trellis/contract/runs/quarantine.endpoints'
import { getTaskRun } from '@trellis/contract/runs/runs.endpoints'
import { raiseFence } from '@trellis/loads/writers'
import { expect, test } from 'vitest'
import { ledgerRows as rows, startLedgerApp } from '../../../testing/ledger-app.ts'
import { carryOutUndo, makeRunRow, writeStep } from '../../../testing/load-runs.ts'
import { openRunDatabase } from '../work/loads/load-session.ts'

const settings = { TRELLIS_LOAD_ROWS: '3', TRELLIS_RATE_LIMITS: 'off' }
const { app, ledger, workspace, loads, source } = await startLedgerApp(settings)
const table = async (columns = 'id, version, name') =>
  await workspace.sql(`select ${columns} from data.ledger order by 1, 2, 3`)
const ask = async (call: Parameters<typeof workspace.account.owner.call>[0], code: string, more: object = {}) =>
  await workspace.account.owner.call(call, {
    params: { ...workspace.tenant, task_run_trellis_code: code },
    ...more,
  } as never)
const readReceipts = async (code: string) =>
  ((await ask(getTaskRun, code)).data as { receipts: Record<string, unknown>[] }).receipts

const MODEL = {
  fields: { id: 'integer', version: 'integer', name: 'text' } as const,
  column_mapping: {},
  primary_keys: ['id'],
  indexes: {},
}
const quarantine = { choice: 'quarantine', most: 5 } as const
/** Seven rows: the third without a number, the fifth a duplicate key, the sixth with a zero byte. */
const FAULTY = [
  [1, 1, 'a'],
  [2, 1, 'b'],
  [3, 'many', 'c\twith\na line'],
  [4, 1, null],
  [1, 2, 'again'],
  [6, 1, 'ze\0ro'],
  [7, 1, 'g'],
]

test('rows that do not fit are rejected with row, column, value and reason; mended they are sent again', async () => {
  ledger.rows = FAULTY
  const block = loads.block(source, { write: writeStep({ dataModel: MODEL, bad_rows: quarantine }) })
  const { counters, rootCode } = await block.run()
  expect(counters).toMatchObject({ rows_read: 7, rows_written: 4, rows_rejected: 3 })
  await makeRunRow(app, workspace, rootCode)
  const page = (await ask(calls.listQuarantine, rootCode)).data as { rows: { load_id: string }[]; waiting: number }
  expect(page).toMatchObject({
    waiting: 3,
    next: null,
    rows: [
      {
        row: 3,
        column: 'version',
        value: 'many',
        reason: 'Not a whole number.',
        values: { id: '3', name: 'c\twith\na line' },
        state: 'waiting',
      },
      { row: 5, column: 'id', value: '1', reason: 'The table already has a row with this key.' },
      { row: 6, column: 'name', reason: expect.stringContaining('zero byte') },
    ],
  })
  const file = (await ask(calls.downloadQuarantine, rootCode)) as unknown as { text: string }
  const [head, third, fifth, sixth] = file.text.split('\r\n')
  expect(head).toBe('subtask,row,line,column,reason,state,text,id,version,name')
  expect(third).toMatch(/,3,3,version,Not a whole number\.,waiting,,3,many,"c\twith\na line"$/)
  expect(fifth).toMatch(/,5,5,id,The table already has a row with this key\.,waiting,,1,2,again$/)
  expect(sixth).toMatch(/,6,6,name,/)
  const [first] = page.rows
  const body = (choice: string, ...settled: object[]) => ({ body: { choice, rows: settled } })
  const load_id = first?.load_id
  const sentResponse = await ask(
    calls.settleQuarantine,
    rootCode,
    body('send', { load_id, row: 3, values: { version: '9' } }, { load_id, row: 5 }),
  )
  expect(sentResponse.data).toMatchObject({ settled: 1, refused: [{ row: 5 }] })
  expect((await ask(calls.settleQuarantine, rootCode, body('dismiss', { load_id, row: 5 }))).data).toMatchObject({
    settled: 1,
  })
  const settled = (await ask(calls.listQuarantine, rootCode)).data as { rows: { values: object }[]; waiting: number }
  expect(settled.waiting).toBe(1)
  const loaded = { id: '3', version: '9', name: 'c\twith\na line' }
  expect(settled.rows[0]).toMatchObject({ state: 'sent', values: loaded })
  expect(Object.keys(settled.rows[0]?.values ?? {}), 'in the order of the table').toEqual(Object.keys(loaded))
  expect((await table()).map(([id]) => id)).toEqual(['1', '2', '3', '4', '7'])
  expect((await table())[2]).toEqual(['3', '9', 'c\twith\na line'])
})

test('wide rejected rows are all listed and downloaded, in as many reads as it takes', async () => {
  const wide = 'w'.repeat(200_000)
  ledger.rows = Array.from({ length: 120 }, (_, at) => [at + 1, 'many', wide])
  const write = writeStep({ dataModel: MODEL, bad_rows: { ...quarantine, most: 200 } })
  const { rootCode, counters } = await loads.block(source, { write }).run()
  expect(counters).toMatchObject({ rows_rejected: 120 })
  await makeRunRow(app, workspace, rootCode)
  const listed: number[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = after === undefined ? {} : { after }
    const page = (await ask(calls.listQuarantine, rootCode, { query })).data as {
      rows: { row: number }[]
      next: string | null
    }
    listed.push(...page.rows.map(({ row }) => row))
    after = page.next
  }
  expect(listed).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
  const file = (await ask(calls.downloadQuarantine, rootCode)) as unknown as { text: string }
  expect(file.text.split('\r\n')).toHaveLength(122)
})

test('rows of one run are not settled by way of another, and a table may call its columns what it likes', async () => {
  ledger.rows = FAULTY
  const write = writeStep({ dataModel: MODEL, bad_rows: quarantine })
  const { rootCode } = await loads.block(source, { write }).run()
  await makeRunRow(app, workspace, rootCode)
  await makeRunRow(app, workspace, `${rootCode}-other`)
  const page = (await ask(calls.listQuarantine, rootCode)).data as { rows: { load_id: string }[] }
  const settled = { load_id: page.rows[0]?.load_id, row: 3, values: { version: '9' } }
  const send = (code: string) => ask(calls.settleQuarantine, code, { body: { choice: 'send', rows: [settled] } })
  expect((await send(`${rootCode}-other`)).data).toEqual({ settled: 0, refused: [] })
  expect((await ask(calls.listQuarantine, `${rootCode}-other`)).data).toMatchObject({ rows: [], waiting: 0 })
  await workspace.sql('alter table data.ledger add column constructor text, add column "toString" text')
  expect((await send(rootCode)).data).toEqual({ settled: 1, refused: [] })
})

test('too many of them stop the load, and one is enough when none is allowed', async () => {
  ledger.rows = FAULTY
  const stop = loads.block(source, { write: writeStep({ dataModel: MODEL }) })
  await expect(stop.run()).rejects.toThrow('Row 3 in version ("many"): Not a whole number.')
  const few = loads.block(source, {
    write: writeStep({ dataModel: MODEL, bad_rows: { choice: 'quarantine', most: 1 }, strategy: 'Replace' }),
  })
  await expect(few.run()).rejects.toThrow('More rows do not fit than the limit of 1.')
})

test.each(['Append', 'Upsert'] as const)(
  '%s that is stopped for its bad rows leaves nothing behind',
  async (strategy) => {
    ledger.rows = rows(6)
    const write = writeStep({ dataModel: MODEL, bad_rows: { choice: 'quarantine', most: 1 }, strategy })
    const block = loads.block(source, { write, is_incremental: true })
    await block.run()
    const before = await table()
    const more =
      strategy === 'Upsert' ? [...rows(6), [2, 2, 'changed'], ...rows(11, 20)] : [...rows(6), ...rows(12, 20)]
    ledger.rows = [...more, [50, 'many', 'a'], [51, 'many', 'b']]
    await expect(block.run()).rejects.toThrow('More rows do not fit than the limit of 1.')
    expect(await table()).toEqual(before)
    ledger.rows = more
    await block.run()
    expect((await table()).length).toBe(strategy === 'Upsert' ? 17 : 18)
  },
)

test('values that do not fit can be left out of their rows', async () => {
  ledger.rows = FAULTY.slice(0, 4)
  const set = { choice: 'set_null', most: 5 } as const
  const block = loads.block(source, { write: writeStep({ dataModel: MODEL, bad_rows: set, strategy: 'Upsert' }) })
  const { counters, lines } = await block.run()
  expect(counters).toMatchObject({ rows_written: 4, rows_rejected: 0 })
  expect(lines).toContain('WARNING One value did not fit and is left empty.')
  expect((await table())[2]).toEqual(['3', null, 'c\twith\na line'])
})

test.each(['Append', 'Replace', 'Upsert'] as const)(
  '%s: a run is rolled back, and its cursor with it',
  async (strategy) => {
    ledger.rows = rows(4)
    const block = loads.block(source, { write: writeStep({ strategy, dataModel: MODEL }), is_incremental: true })
    await block.run()
    const before = await table()
    ledger.rows =
      strategy === 'Upsert'
        ? [...rows(4), [2, 2, 'changed'], [2, 3, 'twice'], [8, 1, 'new'], [8, 2, 'newer'], [2, 4, 'thrice']]
        : rows(9)
    const { rootCode } = await block.run()
    const after = await table()
    expect(after).not.toEqual(before)
    await makeRunRow(app, workspace, rootCode)
    const [receipt] = await readReceipts(rootCode)
    expect(receipt).toMatchObject({ is_whole: true, can_undo: true, undone_at: null })
    expect(receipt?.['key_hash_at_source']).toEqual(expect.stringMatching(/^-?\d+$/))
    expect(receipt?.['key_hash_at_destination']).toEqual(receipt?.['key_hash_at_source'])
    const undone = await ask(calls.undoTaskRun, rootCode)
    expect(undone.status, undone.text).toBe(200)
    expect(undone.data).toMatchObject({ undo: { status: 'in_progress', who: expect.any(String), tables: 1 } })
    await carryOutUndo(app, rootCode)
    expect(await readReceipts(rootCode)).toMatchObject([{ can_undo: false, undone_at: expect.any(String) }])
    expect(await table()).toEqual(before)
    expect((await ask(calls.undoTaskRun, rootCode)).status).toBe(409)
    await block.run()
    expect(await table()).toEqual(after)
  },
)

test('only the latest run of a table can be rolled back', async () => {
  ledger.rows = rows(4)
  const block = loads.block(source, { write: writeStep({ strategy: 'Replace' }) })
  const { rootCode: first } = await block.run()
  await block.run()
  await makeRunRow(app, workspace, first)
  expect(await readReceipts(first)).toMatchObject([{ can_undo: false }])
  expect((await ask(calls.undoTaskRun, first)).status).toBe(409)
})

test('whoever was fenced off writes nothing, also when it never began', async () => {
  ledger.rows = rows(4)
  const block = loads.block(source, { write: writeStep() })
  const epoch = loads.nextEpoch()
  const database = await openRunDatabase(app.ctx, { id: workspace.id, code: workspace.integrationCode.slice(0, -3) })
  await raiseFence(database.cluster, database, { writer: block.code, epoch: loads.nextEpoch() })
  await expect(block.run({ epoch })).rejects.toThrow('taken this run over')
  await block.run()
  expect((await table()).length).toBe(4)
})
