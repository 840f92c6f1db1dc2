import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpFiles } from '@trellis/connectors/http_files/connector'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeLoads, writeStep } from '../../../testing/load-runs.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

const files = new Map<string, { body: Buffer; tag?: string; modified?: string }>()
const server = createServer(({ url = '', headers }, response) => {
  const { body, tag, modified } = files.get(url) ?? {}
  const version = { ...(tag !== undefined && { etag: tag }), ...(modified && { 'last-modified': modified }) }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (body && modified && from && to) {
    const since = headers['if-unmodified-since']
    if (since && Date.parse(since) < Date.parse(modified)) return response.writeHead(412).end()
    const range = `bytes ${from}-${to}/${body.length}`
    return response
      .writeHead(206, { ...version, 'content-range': range })
      .end(body.subarray(Number(from), Number(to) + 1))
  }
  return response.writeHead(body ? 200 : 404, { ...version, 'content-length': body?.length ?? 0 }).end(body)
})

let app: TestApp
let workspace: ReadyWorkspace
let loads: Awaited<ReturnType<typeof makeLoads>>
let source: string

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // One commit per block of a file.
  app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_LOAD_ROWS: '1000' } })
  workspace = await makeReadyWorkspace(app, { isSessionKept: true })
  loads = await makeLoads(app, workspace)
  source = await loads.addIntegration(httpFiles, { access: { address, kind: 'none' } })
})
afterAll(async () => {
  server.close()
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  files.clear()
  await workspace.sql('drop table if exists data.copied, data.elsewhere', 'delete from trellis_loads.receipts')
})

const MODEL = {
  fields: { id: 'integer', note: 'text' } as const,
  column_mapping: {},
  primary_keys: [] as string[],
  indexes: {},
}
const FILLER = 'x'.repeat(60)
const toFile = (rows: number, note: string, from = 0) =>
  Buffer.from(
    `id,note\n${Array.from({ length: rows }, (_, at) => `${from + at},${note} ${from + at} ${FILLER}`).join('\n')}\n`,
  )
const ROWS = 40_000
const LONGER = 55_000

const STRATEGIES = ['Append', 'Replace', 'Upsert'] as const
type Strategy = (typeof STRATEGIES)[number]

function createBlock(strategy: Strategy, query: object = {}, more: object = {}) {
  const write: Partial<WriteStep> = {
    strategy,
    table_name: 'copied',
    dataModel: { ...MODEL, primary_keys: strategy === 'Upsert' ? ['id'] : [] },
  }
  return loads.block(source, {
    query: { query: { files: 'a.csv', format: 'csv', ...query } },
    write: writeStep(write),
    ...more,
  })
}
type Block = ReturnType<typeof createBlock>

async function breakOff(block: Block, rootCode: string, commits = 1): Promise<number> {
  const stop = new AbortController()
  const onCommit = (count: number) => count === commits && stop.abort(new Error('killed'))
  await expect(block.run({ rootCode, signal: stop.signal, onCommit })).rejects.toThrow()
  const receipts = `select rows, is_done from trellis_loads.receipts where run_code = '${rootCode}'`
  const [[rows, isDone] = []] = await workspace.sql(receipts)
  expect(Number(rows)).toBeGreaterThan(0)
  expect(isDone).toBe('f')
  return Number(rows)
}

const readSums = async () =>
  (
    await workspace.sql(
      `select count(*), count(distinct id), min(id), max(id), count(*) filter (where note like 'old%') from data.copied`,
    )
  )[0]
const readReceipt = async (rootCode: string) =>
  (
    await workspace.sql(
      `select rows, rows_read, rows_updated, quarantined, is_done, undone_at from trellis_loads.receipts where run_code = '${rootCode}'`,
    )
  )[0]
/** Former versions of rows, without which the load could not be rolled back. */
async function countUndoRows(rootCode: string) {
  const [[kept] = []] = await workspace.sql(
    `select undo->>'kept' from trellis_loads.receipts where run_code = '${rootCode}'`,
  )
  return (await workspace.sql(`select count(*) from trellis_loads.${kept}`))[0]?.[0]
}
const listWarnings = (lines: readonly string[]) => lines.filter((line) => line.includes('changed while it was loaded'))

/** What the table holds before: beyond the ids of the file, and for Upsert also some of them. */
async function prepareTable(strategy: Strategy): Promise<number> {
  if (strategy === 'Replace') return 0
  await workspace.sql(
    `create table data.copied (id bigint ${strategy === 'Upsert' ? 'primary key' : ''}, note text)`,
    `insert into data.copied select i, 'before' from generate_series(1000000, 1000009) i`,
  )
  if (strategy === 'Upsert')
    await workspace.sql(`insert into data.copied select i, 'before' from generate_series(0, 99) i`)
  return 10
}
const listKept = () => workspace.sql(`select count(*) from data.copied where id >= 1000000 and note = 'before'`)

describe.each(STRATEGIES)('%s', (strategy) => {
  test('the same file of a server without versions is read on behind its rows', async () => {
    const before = await prepareTable(strategy)
    files.set('/a.csv', { body: toFile(ROWS, 'new') })
    const block = createBlock(strategy)
    const rootCode = `same-${strategy}`
    const committed = await breakOff(block, rootCode)
    const { counters, lines } = await block.run({ rootCode })
    expect(counters.rows_read).toBe(ROWS - committed)
    expect(listWarnings(lines)).toEqual([])
    expect((await readSums())?.slice(0, 2)).toEqual([String(ROWS + before), String(ROWS + before)])
    const updated = strategy === 'Upsert' ? '100' : '0'
    expect(await readReceipt(rootCode)).toEqual([String(ROWS), String(ROWS), updated, '0', 't', null])
  })

  test.each([
    ['another version', '"1"', '"2"'],
    ['another size, without versions', undefined, undefined],
    ['a version that was none before', undefined, '"2"'],
  ])('a file that was replaced is loaded from its beginning: %s', async (_, first, second) => {
    const before = await prepareTable(strategy)
    files.set('/a.csv', { body: toFile(ROWS, 'old'), ...(first && { tag: first }) })
    const block = createBlock(strategy)
    const rootCode = `replaced-${strategy}-${first}-${second}`
    const committed = await breakOff(block, rootCode)
    files.set('/a.csv', { body: toFile(LONGER, 'new', 50), ...(second && { tag: second }) })
    const { counters, lines } = await block.run({ rootCode })
    const untouched = strategy === 'Upsert' ? 50 : 0
    const rows = String(LONGER + before + untouched)
    expect(await readSums()).toEqual([
      rows,
      rows,
      untouched ? '0' : '50',
      before ? '1000009' : String(LONGER + 49),
      '0',
    ])
    expect(await listKept()).toEqual([[String(before)]])
    expect(counters.rows_read).toBe(LONGER)
    expect(counters.rows_written + counters.rows_updated).toBe(LONGER)
    const updated = strategy === 'Upsert' ? '50' : '0'
    expect(await readReceipt(rootCode)).toEqual([String(LONGER), String(LONGER), updated, '0', 't', null])
    if (strategy === 'Upsert') expect(await countUndoRows(rootCode)).toBe(updated)
    expect(listWarnings(lines)).toEqual([
      expect.stringMatching(
        new RegExp(`^WARNING .*a\\.csv changed .*: ${committed.toLocaleString('en')} rows were taken out again`),
      ),
    ])
  })
})

describe('several files', () => {
  const query = { files: 'a.csv\nb.csv' }
  const load = async (rootCode: string, tag?: string) => {
    const versions = tag === undefined ? {} : { tag }
    files.set('/a.csv', { body: toFile(5000, 'old'), ...versions })
    files.set('/b.csv', { body: toFile(ROWS, 'old', 100_000), ...versions })
    const block = createBlock('Append', query)
    const committed = await breakOff(block, rootCode, 2)
    expect(committed).toBeGreaterThan(5000)
    return { block, committed }
  }

  test('of a server without versions: those that were read are not read again', async () => {
    const { block, committed } = await load('several-same')
    const { counters } = await block.run({ rootCode: 'several-same' })
    expect(counters.rows_read).toBe(5000 + ROWS - committed)
    expect((await readSums())?.slice(0, 2)).toEqual([String(5000 + ROWS), String(5000 + ROWS)])
  })

  test('one that was read is replaced: all are read anew', async () => {
    const { block } = await load('several-replaced', '"1"')
    files.set('/a.csv', { body: toFile(6000, 'new'), tag: '"2"' })
    const { counters } = await block.run({ rootCode: 'several-replaced' })
    expect(counters.rows_read).toBe(6000 + ROWS)
    expect((await readSums())?.slice(0, 2)).toEqual([String(6000 + ROWS), String(6000 + ROWS)])
  })
})

describe('a file that is replaced while the run goes on, at a server with dates alone', () => {
  const modified = 'Mon, 02 Nov 2026 08:00:00 GMT'
  const laterModified = 'Tue, 03 Nov 2026 08:00:00 GMT'

  test.each(STRATEGIES)('%s has the rows of the new one and none of the old', async (strategy) => {
    const before = await prepareTable(strategy)
    files.set('/a.csv', { body: toFile(ROWS, 'new'), modified })
    files.set('/b.csv', { body: toFile(5000, 'old', 100_000), modified })
    const block = createBlock(strategy, { files: 'a.csv\nb.csv' })
    const replace = (count: number) =>
      count === 1 && files.set('/b.csv', { body: toFile(6000, 'new', 100_000), modified: laterModified })
    const { lines } = await block.run({ rootCode: `meanwhile-${strategy}`, onCommit: replace })
    const rows = String(ROWS + 6000 + before)
    expect((await readSums())?.slice(0, 2)).toEqual([rows, rows])
    expect((await readSums())?.at(-1)).toBe('0')
    expect(listWarnings(lines)).toHaveLength(1)
  })

  test('one that changes all the time ends the run as a passing problem and leaves no row', async () => {
    let version = Date.parse(modified)
    const change = () => {
      version += 60_000
      files.set('/b.csv', { body: toFile(5000, 'old', 100_000), modified: new Date(version).toUTCString() })
    }
    change()
    files.set('/a.csv', { body: toFile(ROWS, 'old'), modified })
    const block = createBlock('Append', { files: 'a.csv\nb.csv' })
    await expect(block.run({ rootCode: 'restless', onCommit: change })).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringMatching(/b\.csv changed while it was loaded/),
    })
    expect((await readSums())?.[0]).toBe('0')
  })
})

describe('files that are gone', () => {
  const query = { files: 'a.csv\nb.csv' }
  const putFiles = () => {
    files.set('/a.csv', { body: toFile(5000, 'new'), tag: '"1"' })
    files.set('/b.csv', { body: toFile(ROWS, 'new', 100_000), tag: '"1"' })
  }
  const failed = { kind: 'configuration', message: expect.stringMatching(/nothing at this address \(404\)/) }

  test.each(STRATEGIES)('%s: the run fails like a new one, and what it had loaded is taken out', async (strategy) => {
    const before = await prepareTable(strategy)
    putFiles()
    const block = createBlock(strategy, query)
    const rootCode = `gone-${strategy}`
    const committed = await breakOff(block, rootCode, 2)
    files.clear()
    await expect(createBlock(strategy, query).run({ rootCode: `new-${strategy}` })).rejects.toMatchObject(failed)
    const lines: string[] = []
    await expect(block.run({ rootCode, lines })).rejects.toMatchObject(failed)
    expect(lines.filter((line) => line.startsWith('WARNING'))).toEqual([
      expect.stringContaining(`${committed.toLocaleString('en')} rows that an earlier attempt loaded were taken out`),
    ])
    if (strategy !== 'Replace') {
      expect(await listKept()).toEqual([[String(before)]])
      const untouched = strategy === 'Upsert' ? 100 : 0
      expect((await readSums())?.[0]).toBe(String(before + untouched))
    }
    putFiles()
    const { counters } = await block.run({ rootCode })
    expect(counters.rows_read).toBe(5000 + ROWS)
    const rows = String(5000 + ROWS + before)
    expect((await readSums())?.slice(0, 2)).toEqual([rows, rows])
    expect((await readReceipt(rootCode))?.at(-2)).toBe('t')
  })

  test('rows that were changed meanwhile can not be taken out: that is said, and nothing is doubled', async () => {
    putFiles()
    const block = createBlock('Append', query)
    const committed = await breakOff(block, 'gone-kept', 2)
    await workspace.sql(`update data.copied set note = 'mine' where id = 3`)
    files.clear()
    await expect(block.run({ rootCode: 'gone-kept' })).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringMatching(/data\.copied can't be taken out\./),
    })
    expect((await readSums())?.slice(0, 2)).toEqual([String(committed), String(committed)])
  })

  test('one of several is gone: what was loaded stays, and is gone on from when it is back', async () => {
    putFiles()
    const block = createBlock('Append', query)
    const committed = await breakOff(block, 'gone-one', 2)
    const { body, tag = '' } = files.get('/a.csv') ?? { body: Buffer.alloc(0) }
    files.delete('/a.csv')
    await expect(block.run({ rootCode: 'gone-one' })).rejects.toMatchObject(failed)
    expect((await readSums())?.[0]).toBe(String(committed))
    files.set('/a.csv', { body, tag })
    const { counters } = await block.run({ rootCode: 'gone-one' })
    expect(counters.rows_read).toBe(5000 + ROWS - committed)
  })
})

test('types that only the end of the file shows: the other file has the columns it needs', async () => {
  const types = (rows: number, last: string) => Buffer.concat([toFile(rows, 'old'), Buffer.from(last)])
  files.set('/a.csv', { body: types(ROWS, 'one,x\n'), tag: '"1"' })
  const write = writeStep({ table_name: 'copied' })
  const block = loads.block(source, { query: { query: { files: 'a.csv', format: 'csv' } }, write })
  await breakOff(block, 'types')
  const more = Buffer.from(toFile(LONGER, 'new').toString().replaceAll('\n', ',1\n').replace('note,1', 'note,more'))
  files.set('/a.csv', { body: Buffer.concat([more, Buffer.from('two,x,2\n')]), tag: '"2"' })
  const { counters } = await block.run({ rootCode: 'types' })
  expect(counters.rows_read).toBe(LONGER + 1)
  expect(await workspace.sql('select count(*), count(more) from data.copied')).toEqual([
    [String(LONGER + 1), String(LONGER + 1)],
  ])
})

test('a new run that follows a broken off one takes out what that one loaded of the other file', async () => {
  const block = createBlock('Append', { which: 'changed' }, { is_incremental: true })
  files.set('/a.csv', { body: toFile(10, 'first', 500_000), tag: '"0"' })
  await block.run({ rootCode: 'followed-first' })
  files.set('/a.csv', { body: toFile(ROWS, 'old'), tag: '"1"' })
  const committed = await breakOff(block, 'followed')
  files.set('/a.csv', { body: toFile(LONGER, 'new'), tag: '"2"' })
  const { lines } = await block.run({ rootCode: 'following' })
  expect(listWarnings(lines).join()).toContain(`${committed.toLocaleString('en')} rows were taken out again`)
  expect(await readSums()).toEqual([String(LONGER + 10), String(LONGER + 10), '0', '500009', '0'])
  expect((await block.run({ rootCode: 'followed-last' })).counters.rows_read).toBe(0)
})

test('rows that were changed meanwhile can not be taken out: the run fails and doubles nothing', async () => {
  files.set('/a.csv', { body: toFile(ROWS, 'old'), tag: '"1"' })
  const block = createBlock('Append')
  const committed = await breakOff(block, 'refused')
  await workspace.sql(`update data.copied set note = 'mine' where id = 3`)
  files.set('/a.csv', { body: toFile(LONGER, 'new'), tag: '"2"' })
  const again = block.run({ rootCode: 'refused' })
  await expect(again).rejects.toMatchObject({
    kind: 'configuration',
    message: expect.stringMatching(/a\.csv changed while it was loaded, and .* can't be taken out\. Rows of this load/),
  })
  expect((await readSums())?.slice(0, 2)).toEqual([String(committed), String(committed)])
})

describe('a block that was changed before its run was retried', () => {
  const OTHER = { query: { files: 'b.csv', format: 'csv' } }
  const listChanged = (lines: readonly string[]) => lines.filter((line) => line.includes('was changed since'))
  beforeEach(() => {
    files.set('/a.csv', { body: toFile(ROWS, 'old') })
    files.set('/b.csv', { body: toFile(LONGER, 'new', 50) })
  })

  test.each(STRATEGIES)('another query: %s has its rows and none of the other', async (strategy) => {
    const before = await prepareTable(strategy)
    const block = createBlock(strategy)
    const rootCode = `query-${strategy}`
    const committed = await breakOff(block, rootCode)
    await block.publish((write) => write, OTHER)
    const { counters, lines } = await block.run({ rootCode })
    const untouched = strategy === 'Upsert' ? 50 : 0
    const rows = String(LONGER + before + untouched)
    expect((await readSums())?.slice(0, 2)).toEqual([rows, rows])
    expect((await readSums())?.at(-1)).toBe('0')
    expect(await listKept()).toEqual([[String(before)]])
    expect(counters.rows_read).toBe(LONGER)
    expect(counters.rows_written + counters.rows_updated).toBe(LONGER)
    const updated = strategy === 'Upsert' ? '50' : '0'
    expect(await readReceipt(rootCode)).toEqual([String(LONGER), String(LONGER), updated, '0', 't', null])
    if (strategy === 'Upsert') expect(await countUndoRows(rootCode)).toBe(updated)
    const told = new RegExp(`^WARNING .* was changed .*: ${committed.toLocaleString('en')} rows were taken out again`)
    expect(listChanged(lines)).toEqual(strategy === 'Replace' ? [] : [expect.stringMatching(told)])
  })

  test('another query that is broken off again goes on behind its own rows', async () => {
    const block = createBlock('Append')
    await breakOff(block, 'twice')
    await block.publish((write) => write, OTHER)
    const committed = await breakOff(block, 'twice')
    const { counters, lines } = await block.run({ rootCode: 'twice' })
    expect(counters.rows_read).toBe(LONGER - committed)
    expect(listChanged(lines)).toEqual([])
    expect((await readSums())?.slice(0, 2)).toEqual([String(LONGER), String(LONGER)])
  })

  test('another table: the former one has none of its rows, and the receipt names the other', async () => {
    const before = await prepareTable('Append')
    const block = createBlock('Append')
    await breakOff(block, 'table')
    await block.publish((write) => ({ ...write, table_name: 'elsewhere' }))
    await block.run({ rootCode: 'table' })
    expect((await readSums())?.[0]).toBe(String(before))
    expect(await workspace.sql('select count(*), count(distinct id) from data.elsewhere')).toEqual([
      [String(ROWS), String(ROWS)],
    ])
    const receipts = `select table_name, rows, is_done from trellis_loads.receipts where run_code = 'table'`
    expect(await workspace.sql(receipts)).toEqual([['elsewhere', String(ROWS), 't']])
  })

  test('the former table was dropped: the other has all rows', async () => {
    const block = createBlock('Append')
    await breakOff(block, 'dropped')
    await workspace.sql('drop table data.copied')
    await block.publish((write) => ({ ...write, table_name: 'elsewhere' }))
    const { lines } = await block.run({ rootCode: 'dropped' })
    expect(listChanged(lines)).toEqual([])
    expect(await workspace.sql('select count(*) from data.elsewhere')).toEqual([[String(ROWS)]])
  })

  test('Append instead of Replace: rows that were never published are no part of it', async () => {
    const block = createBlock('Replace')
    await breakOff(block, 'mode')
    await block.publish((write) => ({ ...write, strategy: 'Append' }), OTHER)
    await block.run({ rootCode: 'mode' })
    expect((await readSums())?.slice(0, 2)).toEqual([String(LONGER), String(LONGER)])
    expect(await readReceipt('mode')).toEqual([String(LONGER), String(LONGER), '0', '0', 't', null])
  })

  test('Append instead of Upsert: the rows it had changed are as before, and its undo is that of an Append', async () => {
    const before = await prepareTable('Upsert')
    const block = createBlock('Upsert')
    await breakOff(block, 'upserted')
    await workspace.sql('alter table data.copied drop constraint copied_pkey')
    await block.publish((write) => ({ ...write, strategy: 'Append' }))
    await block.run({ rootCode: 'upserted' })
    expect((await readSums())?.[0]).toBe(String(ROWS + before + 100))
    expect(await workspace.sql(`select count(*) from data.copied where note = 'before'`)).toEqual([
      [String(before + 100)],
    ])
    const undo = `select mode, undo->>'kind' from trellis_loads.receipts where run_code = 'upserted'`
    expect(await workspace.sql(undo)).toEqual([['append', 'chunks']])
  })

  test('Append, then Replace, then Append again: the first rows are not there twice', async () => {
    await prepareTable('Append')
    const block = createBlock('Append')
    await breakOff(block, 'back')
    await block.publish((write) => ({ ...write, strategy: 'Replace' }))
    await breakOff(block, 'back')
    expect((await readSums())?.[0]).toBe('10')
    await block.publish((write) => ({ ...write, strategy: 'Append' }))
    await block.run({ rootCode: 'back' })
    expect((await readSums())?.slice(0, 2)).toEqual([String(ROWS + 10), String(ROWS + 10)])
    expect(await listKept()).toEqual([['10']])
  })

  test('a file whose types are found while it is loaded: it is said once', async () => {
    const write = writeStep({ table_name: 'copied' })
    const block = loads.block(source, { query: { query: { files: 'a.csv\nb.csv', format: 'csv' } }, write })
    await breakOff(block, 'found')
    await block.publish((step) => step, OTHER)
    const { lines } = await block.run({ rootCode: 'found' })
    expect(listChanged(lines)).toHaveLength(1)
    expect((await readSums())?.slice(0, 2)).toEqual([String(LONGER), String(LONGER)])
  })

  test('rows that were changed meanwhile can not be taken out: the run fails and doubles nothing', async () => {
    const block = createBlock('Append')
    const committed = await breakOff(block, 'kept')
    await workspace.sql(`update data.copied set note = 'mine' where id = 3`)
    await block.publish((write) => write, OTHER)
    await expect(block.run({ rootCode: 'kept' })).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringMatching(/was changed since .* data\.copied can't be taken out\. Rows of this load/),
    })
    expect((await readSums())?.slice(0, 2)).toEqual([String(committed), String(committed)])
  })

  test.each(['incremental', 'whole'])(
    '%s run that another one followed: the retry fails and doubles nothing',
    async (kind) => {
      const isIncremental = kind === 'incremental'
      const which = isIncremental ? 'changed' : 'all'
      const block = createBlock('Append', { which }, { is_incremental: isIncremental })
      const committed = await breakOff(block, `passed-${kind}`)
      await block.run({ rootCode: `passing-${kind}` })
      await block.publish((write) => write, { query: { ...OTHER.query, which } })
      await expect(block.run({ rootCode: `passed-${kind}` })).rejects.toMatchObject({
        kind: 'configuration',
        message: expect.stringMatching(/was changed since .* data\.copied can't be taken out\./),
      })
      const rows = isIncremental ? ROWS : committed + ROWS
      expect((await readSums())?.slice(0, 2)).toEqual([String(rows), String(ROWS)])
    },
  )
})
