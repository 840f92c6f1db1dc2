import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connector } from '@trellis/connector-kit/connector'
import { httpFiles } from '@trellis/connectors/http_files/connector'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeLoads, writeStep } from '../../../testing/load-runs.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

let file: Buffer = Buffer.alloc(0)
let isCut = false
let tag: (() => string) | undefined
/** Supports range requests, so that the file is streamed. */
const server = createServer(({ headers }, response) => {
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? []
  const end = Math.min(file.length, to === '' ? file.length : Number(to) + 1)
  const piece = file.subarray(Number(from), end)
  const range = `bytes ${from}-${end - 1}/${file.length}`
  const version = tag && { etag: tag() }
  response.writeHead(206, { ...version, 'content-length': piece.length, 'content-range': range })
  if (isCut && piece.length > 1024 * 1024) response.write(piece.subarray(0, 1024 * 1024), () => response.destroy())
  else response.end(piece)
})

/** Profiles the whole file before loading. */
const profiledFirst: Connector = {
  ...httpFiles,
  code: 'profiled_first',
  source: {
    queryFormas: [],
    buildQuery: () => ({}),
    read: async (context, { allowsProvisional: _, ...request }) => {
      const reading = await httpFiles.source?.read(context, request)
      if (!reading) throw new Error('Files can be read.')
      return reading
    },
  },
}

let app: TestApp
let workspace: ReadyWorkspace
let loads: Awaited<ReturnType<typeof makeLoads>>
let sources: { provisional: string; profiled: string }

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const settings = { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_LOAD_ROWS: '1000' }
  app = await startTestApp({ connectors: [profiledFirst], settings })
  workspace = await makeReadyWorkspace(app, { isSessionKept: true })
  loads = await makeLoads(app, workspace)
  const access = { access: { address, kind: 'none' } }
  sources = {
    provisional: await loads.addIntegration(httpFiles, access),
    profiled: await loads.addIntegration(profiledFirst, access),
  }
})
afterAll(async () => {
  server.close()
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  isCut = false
  tag = () => '"1"'
  await workspace.sql('drop table if exists data.provisional, data.profiled', 'delete from trellis_loads.receipts')
})

const query = { query: { files: 'a.csv', format: 'csv' } }
const createBlock = (name: 'provisional' | 'profiled', write: Partial<WriteStep> = {}) =>
  loads.block(sources[name], { query, write: writeStep({ ...write, table_name: name }) })

async function inspectTable(name: string) {
  return {
    columns: await workspace.sql(
      `select attname, format_type(atttypid, atttypmod) from pg_attribute
        where attrelid = 'data.${name}'::regclass and attnum > 0 and not attisdropped order by attnum`,
    ),
    rows: (await workspace.sql(`select to_jsonb(t)::text from data.${name} t order by 1`)).flat(),
    receipts: await workspace.sql(
      `select mode, rows, rows_read, rows_updated, quarantined, is_done from trellis_loads.receipts where table_name = '${name}'`,
    ),
    rejected: await workspace.sql(
      `select row_number, line_number, column_name, value, reason, raw, cells::text from trellis_loads.quarantine
         join trellis_loads.receipts using (load_id) where table_name = '${name}' order by 1`,
    ),
  }
}

async function loadBothWays(write: Partial<WriteStep> = {}) {
  const results = []
  for (const name of ['provisional', 'profiled'] as const) {
    const { counters, lines } = await createBlock(name, write).run()
    const warnings = lines.filter((line) => line.includes('a.csv:')).map((line) => line.replace(/^.*a\.csv:/s, ''))
    results.push({ counters, warnings, ...(await inspectTable(name)) })
  }
  expect(results[0]).toEqual(results[1])
  return results[0] as (typeof results)[number]
}

const NAME = 'a name that is long enough to make the file some blocks long, '
const LINES = Array.from({ length: 14_000 }, (_, at) => `${at},2026-01-02,"${NAME}${at}",${at}.25,${at % 2 === 0}`)
const toFile = (...more: string[]) => Buffer.from(['id,day,name,amount,is_paid', ...LINES, ...more, ''].join('\n'))
const toTypes = ({ columns }: { columns: readonly (readonly unknown[])[] }) =>
  columns.map(([, type]) => type).join(', ')

describe('a file that is loaded while its types are found gives what one gives that is looked through first', () => {
  test.each([
    ['nothing but such rows', [], 'bigint, date, text, numeric, boolean'],
    ['a fraction', ['1.5,2026-01-02,a,1,true'], 'numeric, date, text, numeric, boolean'],
    ['a moment', ['1,2026-01-02 10:00:00,a,1,true'], 'bigint, timestamp without time zone, text, numeric, boolean'],
    ['a word', ['one,2026-01-02,a,1,true'], 'text, date, text, numeric, boolean'],
    ['a word for nothing', ['N/A,2026-01-02,a,1,true'], 'bigint, date, text, numeric, boolean'],
    ['a number in groups', ['1,2026-01-02,a,"1,000.5",true'], 'bigint, date, text, numeric, boolean'],
    ['a value too many', ['1,2026-01-02,a,1,true,more'], 'bigint, date, text, numeric, boolean'],
    ['a row that is short', ['1,2026-01-02'], 'bigint, date, text, numeric, boolean'],
    ['an answer that is a word', ['1,2026-01-02,a,1,yes'], 'bigint, date, text, numeric, boolean'],
  ])('%s at its end', async (_, more, types) => {
    file = toFile(...more)
    const loaded = await loadBothWays({ bad_rows: { choice: 'quarantine', most: 100 } })
    expect(toTypes(loaded)).toBe(types)
    expect(loaded.rows.length + loaded.rejected.length).toBe(LINES.length + more.length)
    expect(loaded.receipts).toHaveLength(1)
  })

  test.each([[[]], [['1.5,2026-01-02,a,1,true']]])('with Replace too, with %j at its end', async (more) => {
    file = toFile(...more)
    expect((await loadBothWays({ strategy: 'Replace' })).rows).toHaveLength(LINES.length + more.length)
  })

  test('and is refused for its bad rows alike', async () => {
    file = toFile('1,2026-01-02,a,1,true,more')
    const problems = []
    for (const name of ['provisional', 'profiled'] as const) {
      const run = createBlock(name, { bad_rows: { choice: 'stop', most: 0 } }).run()
      problems.push(
        await run.then(
          () => undefined,
          (error: unknown) => String(error),
        ),
      )
    }
    expect(problems[0]).toContain('The row has 6 values where 5 are expected.')
    expect(problems[0]).toBe(problems[1])
  })
})

describe('a server that tells no version of its files', () => {
  test.each([
    ['nothing but such rows', [], 'bigint, date, text, numeric, boolean'],
    ['a word', ['one,2026-01-02,a,1,true'], 'text, date, text, numeric, boolean'],
  ])('gives the types of all values, with %s at its end', async (_, more, types) => {
    tag = undefined
    file = toFile(...more)
    const loaded = await loadBothWays({ bad_rows: { choice: 'quarantine', most: 100 } })
    expect(toTypes(loaded)).toBe(types)
    expect(loaded.rows).toHaveLength(LINES.length + more.length)
    expect(loaded.rejected).toEqual([])
  })
})

test('a file that becomes another one between the look at it and the load has the types of what is loaded', async () => {
  let asked = 0
  file = toFile()
  tag = () => {
    asked += 1
    if (asked === 4) file = toFile('one,2026-01-02,a,1,true')
    return `"${file.length}"`
  }
  await createBlock('provisional', { bad_rows: { choice: 'quarantine', most: 100 } }).run()
  const { rows, columns, rejected } = await inspectTable('provisional')
  expect(columns[0]).toEqual(['id', 'text'])
  expect(rows).toHaveLength(LINES.length + 1)
  expect(rejected).toEqual([])
})

test('it is one transaction: a connection that breaks leaves nothing, and the next attempt begins at the beginning', async () => {
  file = toFile()
  const onCommit = () => undefined
  expect((await createBlock('profiled').run({ onCommit })).commits).toBeGreaterThan(2)
  isCut = true
  const block = createBlock('provisional')
  await expect(block.run()).rejects.toThrow()
  expect(await workspace.sql(`select to_regclass('data.provisional')`)).toEqual([[null]])
  expect(await workspace.sql(`select 1 from trellis_loads.receipts where table_name = 'provisional'`)).toEqual([])
  isCut = false
  expect((await block.run({ onCommit })).commits).toBe(2)
  expect((await inspectTable('provisional')).rows).toHaveLength(LINES.length)
})

test('the second load into the same table leaves it as it is, and a type that no longer fits is asked about', async () => {
  file = toFile()
  await createBlock('provisional').run()
  await createBlock('provisional').run()
  expect((await inspectTable('provisional')).rows).toHaveLength(2 * LINES.length)
  file = toFile('one,2026-01-02,a,1,true')
  await expect(createBlock('provisional', { schema_policy: 'ask' }).run()).rejects.toThrow()
  const { rows, columns } = await inspectTable('provisional')
  expect(rows).toHaveLength(2 * LINES.length)
  expect(columns[0]).toEqual(['id', 'bigint'])
})
