import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Batch } from '@trellis/connector-kit/batch'
import type { Connector } from '@trellis/connector-kit/connector'
import { httpFiles } from '@trellis/connectors/http_files/connector'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeLoads, writeStep } from '../../../testing/load-runs.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

const files = new Map<string, Buffer>()
const server = createServer(({ url = '' }, response) => {
  const body = files.get(url)
  response.writeHead(body ? 200 : 404, { etag: '"1"', 'content-length': body?.length ?? 0 }).end(body)
})

/** Parses every cell. */
const cellByCell: Connector = {
  ...httpFiles,
  code: 'cell_by_cell',
  source: {
    queryFormas: [],
    buildQuery: () => ({}),
    read: async (context, request) => {
      const reading = await httpFiles.source?.read(context, request)
      if (!reading) throw new Error('Files can be read.')
      return { ...reading, batches: asRows(reading.batches) }
    },
  },
}
async function* asRows(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (batch.kind !== 'csv') yield batch
    else {
      const { state, rejected } = batch
      yield { kind: 'rows', rows: batch.rows(), ...(state && { state }), ...(rejected && { rejected }) }
    }
  }
}

let app: TestApp
let workspace: ReadyWorkspace
let loads: Awaited<ReturnType<typeof makeLoads>>
let sources: { passed: string; looked: string }

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // One commit per block of a file.
  const settings = { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_LOAD_ROWS: '1000' }
  app = await startTestApp({ connectors: [cellByCell], settings })
  workspace = await makeReadyWorkspace(app, { isSessionKept: true })
  loads = await makeLoads(app, workspace)
  const access = { access: { address, kind: 'none' } }
  sources = {
    passed: await loads.addIntegration(httpFiles, access),
    looked: await loads.addIntegration(cellByCell, access),
  }
})
afterAll(async () => {
  server.close()
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  files.clear()
  await workspace.sql('drop table if exists data.passed, data.looked', 'delete from trellis_loads.receipts')
})

const query = { query: { files: 'a.csv', format: 'csv' } }
const createBlock = (name: 'passed' | 'looked', write: Partial<WriteStep>) =>
  loads.block(sources[name], { query, write: writeStep({ ...write, table_name: name }) })

const MODEL = {
  fields: { id: 'integer', amount: 'decimal', day: 'date', is_paid: 'boolean', name: 'text' } as const,
  column_mapping: {},
  primary_keys: [] as string[],
  indexes: {},
}
const HEADER = 'id,amount,day,is_paid,name\n'
const quarantine = { choice: 'quarantine', most: 100 } as const

async function loadBothWays(file: string | Buffer, write: Partial<WriteStep> = {}) {
  files.set('/a.csv', Buffer.from(file))
  const results = []
  for (const name of ['passed', 'looked'] as const) {
    const { counters, lines } = await createBlock(name, write).run()
    const statements = lines.filter((line) => /copy .* from stdin/s.test(line))
    expect(statements.some((line) => line.includes('format csv'))).toBe(name === 'passed')
    const bad = await workspace.sql(
      `select row_number, line_number, column_name, value, reason, raw, cells::text from trellis_loads.quarantine
         join trellis_loads.receipts using (load_id) where table_name = '${name}' order by 1`,
    )
    const rows = await workspace.sql(`select to_jsonb(t)::text from data.${name} t order by 1`)
    results.push({ counters: { ...counters, bytes: 0 }, bad, rows: rows.flat() })
  }
  expect(results[0]).toEqual(results[1])
  return results[0] as (typeof results)[number]
}

describe('the bytes of a file give the same table as its cells', () => {
  test.each<[string, string | Buffer]>([
    ['quotes and line ends', `a,b\n1,"x, ""y"""\n2,"two\nlines"\n3,"\r\n"\n4,\\.\n5,"a\tb\\"\n`],
    ['CRLF', 'a,b\r\n1,"x\r\ny"\r\n2,"z\nw"\r\n3,\r\n'],
    ['CR', 'a,b\r1,"x\ry"\r2,z\r'],
    ['all line ends', 'a,b\n1,"x\ry"\r\n2,"y\nz"\r3,z\n'],
    ['one column', 'a\nx\n\n""\n\\.\n"y"\n'],
    ['nothing and empty texts', 'a,b,c\n1,,""\n"",x,\n2,y,"  "\n'],
    ['odd quotes', 'a,b\n1,x"y\n2,"x"y\n'],
    ['Windows-1252', Buffer.from('a,b\n1,caf\u00e9\n2,\u00fc\n', 'latin1')],
    ['day first', 'a,b\n31/12/2025,1\n01/02/2026,2\n'],
    ['month first', 'a,b\n12/31/2025,1\n01/02/2026,2\n'],
    ['moments', 'a,b\n2026-01-02 03:04,2026-01-02T03:04:05.678Z\n2026-01-03,2026-01-02 03:04:05+02\n'],
    ['numbers', 'a,b,c\n1,1.50,1.5e+10\n9007199254740993,-0.1,2\n -3 ,12345678901234567890.5,NaN\n'],
    ['answers, JSON, times and numbers of their own', 'a,b,c\nyes,"{""a"":1}",12:30\nOFF,[1],01:02:03\n'],
    ['only a header and one row', 'a,b\n1,2'],
  ])('%s', async (_, file) => {
    expect((await loadBothWays(file)).rows.length).toBeGreaterThan(0)
  })

  test('a malformed record is rejected with its line and text', async () => {
    const file = 'a,b\n1,x\n2,"y\nz",3\n4,w\n5,x,"y,z"\n'
    const { bad, rows } = await loadBothWays(file, { bad_rows: quarantine })
    expect(rows).toHaveLength(2)
    expect(bad.map(([, line, , , reason, raw]) => [line, reason, raw])).toEqual([
      ['3', 'The row has 3 values where 2 are expected.', '2,"y\nz",3'],
      ['6', 'The row has 3 values where 2 are expected.', '5,x,"y,z"'],
    ])
  })

  test('spaces alone among numbers are NULL, so such a file is read by its cells', async () => {
    files.set('/a.csv', Buffer.from('a,b\n1,x\n ,y\n3,  \n'))
    const { lines } = await createBlock('passed', {}).run()
    expect(lines.some((line) => /copy .* from stdin.*format csv/s.test(line))).toBe(false)
    expect(await workspace.sql('select a, b from data.passed order by 1')).toEqual([
      ['1', 'x'],
      ['3', '  '],
      [null, 'y'],
    ])
  })

  test('also in types that were chosen', async () => {
    const file = `${HEADER}1,1.50,2026-01-02,1,x\n 2 ,1000.5, 2026-01-03 ,maybe,"y\nz"\n"",,,"",""\n4,"1;5",2026-01-02,t,now\n5,  ,some day,f,\n0x10,1e3,2026-01-05, yes ,"w"\n`
    const { bad, rows } = await loadBothWays(file, { dataModel: MODEL, bad_rows: quarantine })
    expect(rows).toHaveLength(3)
    expect(bad.map(([row, line, column, value, reason]) => [row, line, column, value, reason])).toEqual([
      ['2', '2', 'is_paid', 'maybe', 'Not yes or no.'],
      ['4', '4', 'amount', '1;5', 'Not a number.'],
      ['5', '5', 'day', 'some day', 'Not a date.'],
    ])
  })

  test('with rows that break a rule of the table', async () => {
    for (const name of ['passed', 'looked']) {
      await workspace.sql(
        `create table data.${name} (id bigint primary key, amount numeric constraint small check (amount < 100), day date, is_paid boolean, name text not null)`,
      )
    }
    const file = `${HEADER}1,1,2026-01-02,t,a\n2,100,2026-01-02,t,"b\nb"\n1,1,2026-01-02,t,c\nx,1,2026-01-02,t,d\n5,1,,,e\n6,1,2026-01-02,t,\n`
    const { bad, rows } = await loadBothWays(file, { dataModel: MODEL, bad_rows: quarantine })
    expect(bad.map(([row]) => row)).toEqual(['2', '3', '4', '6'])
    expect(rows).toHaveLength(2)
  })

  test('with values that are left out of their rows, and columns under other names', async () => {
    const file = `${HEADER}1,one,2026-01-02,t,"a\nb"\n2,2,2026-02-30,perhaps,c\nthree,3,2026-01-02,t,d\n`
    const dataModel = { ...MODEL, column_mapping: { name: 'title' } }
    const { bad, rows } = await loadBothWays(file, { dataModel, bad_rows: { choice: 'set_null', most: 10 } })
    expect(bad).toEqual([])
    expect(rows.map((row) => JSON.parse(row ?? '') as unknown)).toContainEqual({
      ...{ id: 2, amount: 2, day: null, is_paid: null, title: 'c' },
    })
  })

  test('with values left out of rows of which others break a rule', async () => {
    for (const name of ['passed', 'looked']) {
      await workspace.sql(
        `create table data.${name} (id bigint primary key, amount numeric, day date, is_paid boolean, name text)`,
      )
    }
    const file = `${HEADER}1,one,never,t,a\n2,2,2026-01-02,perhaps,b\n1,three,2026-01-02,t,c\n4,4,2026-01-02,t,d\n1,5,2026-01-02,t,e\n`
    const { bad, rows } = await loadBothWays(file, { dataModel: MODEL, bad_rows: { choice: 'set_null', most: 10 } })
    expect(bad.map(([row, , , , , raw]) => [row, raw?.split('\t').at(-1)])).toEqual([
      ['1', 'a'],
      ['3', 'c'],
    ])
    expect(rows).toHaveLength(3)
  })

  test.each(['Replace', 'Upsert'] as const)('%s', async (strategy) => {
    const file = `${HEADER}1,1,2026-01-02,t,a\n2,x,2026-01-02,t,b\n,3,2026-01-02,t,c\n4,4,2026-01-02,t,d\n`
    const dataModel = { ...MODEL, primary_keys: ['id'] }
    const { bad, rows } = await loadBothWays(file, { strategy, dataModel, bad_rows: quarantine })
    expect(bad.map(([row]) => row)).toEqual(['2', '3'])
    expect(rows).toHaveLength(2)
  })
})

test('a row that does not fit is named by its number, in whichever chunk it comes', async () => {
  const lines = Array.from({ length: 40_000 }, (_, at) => `${at},1,2026-01-02,t,"a\n${at}"`)
  lines[35_000] = 'many,1,2026-01-02,t,x'
  files.set('/a.csv', Buffer.from(`${HEADER}${lines.join('\n')}\n`))
  await expect(createBlock('passed', { dataModel: MODEL }).run()).rejects.toThrow(
    'A row does not fit. Row 35,001 in id ("many"): Not a whole number.',
  )
  expect(await workspace.sql('select count(*) from data.passed')).toEqual([['0']])
})

test('what the look at the file has warned of is not said again by the read', async () => {
  files.set('/a.csv', Buffer.from(`${HEADER}1,1.5,2026-01-02,t,x\n2,2.5,2026-01-02,t,x,more\n`))
  const { lines } = await createBlock('passed', { dataModel: MODEL, bad_rows: quarantine }).run()
  const warnings = lines.filter((line) => line.startsWith('WARNING'))
  expect(warnings.length).toBeGreaterThan(0)
  expect(warnings).toEqual([...new Set(warnings)])
})

test('more rows than are worth mending one by one are read cell by cell', async () => {
  const lines = Array.from(
    { length: 15_000 },
    (_, at) => `${at},"1,${String(at % 1000).padStart(3, '0')}",2026-01-02,t,x`,
  )
  const plain = Array.from({ length: 10_000 }, (_, at) => `${at},1.5,2026-01-02,t,${'long '.repeat(10)}`)
  files.set('/a.csv', Buffer.from(`${HEADER}${[...plain, ...lines].join('\n')}\n`))
  const { counters } = await createBlock('passed', { dataModel: MODEL }).run()
  expect(counters).toMatchObject({ rows_read: 25_000, rows_written: 25_000 })
  expect(await workspace.sql('select max(amount), count(*) from data.passed')).toEqual([['1999', '25000']])
})

test.each([
  ['chosen types', MODEL],
  ['types that only its end shows', null],
])('broken off in the middle of a file it goes on there, with %s', async (_, dataModel) => {
  const lines = Array.from({ length: 60_000 }, (_line, at) => `${at},1.5,2026-01-02,t,"a\n${at}"`)
  for (const at of [5, 30_000, 59_999]) lines[at] = `${at},1,2`
  if (!dataModel) lines[59_998] = '59998,1.5,2026-01-02,maybe,"a\n59998"'
  files.set('/a.csv', Buffer.from(`${HEADER}${lines.join('\n')}\n`))
  const block = createBlock('passed', { dataModel, bad_rows: quarantine })
  const stop = new AbortController()
  const rootCode = 'root-csv'
  const first = block.run({ rootCode, signal: stop.signal, onCommit: () => stop.abort() })
  await expect(first).rejects.toThrow()
  const [[before = ''] = []] = await workspace.sql('select count(*) from data.passed')
  expect(Number(before)).toBeGreaterThan(0)
  expect(Number(before)).toBeLessThan(59_997)
  const { counters } = await block.run({ rootCode })
  expect(counters.rows_read).toBe(60_000 - Number(before) - 1)
  expect(counters.rows_rejected).toBe(2)
  expect(await workspace.sql('select count(*), count(distinct id), max(id) from data.passed')).toEqual([
    ['59997', '59997', '59998'],
  ])
  expect(
    await workspace.sql(
      'select line_number, raw, rows_read, rows + quarantined from trellis_loads.quarantine join trellis_loads.receipts using (load_id) order by 1',
    ),
  ).toEqual([
    ['12', '5,1,2', '60000', '60000'],
    ['60001', '30000,1,2', '60000', '60000'],
    ['119998', '59999,1,2', '60000', '60000'],
  ])
})
