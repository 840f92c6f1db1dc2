import { ERRORS } from '@trellis/contract/core/errors'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { explorerEndpoints } from '@trellis/contract/explorer/explorer.endpoints'
import { labelsEndpoints } from '@trellis/contract/explorer/labels.endpoints'
import { rowsEndpoints } from '@trellis/contract/explorer/rows.endpoints'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shapedInput } from '../../testing/arbitrary-input.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

const RUNS = Number(process.env['TRELLIS_FUZZ_RUNS'] ?? 30)
const LEAKS = /\bat .*\.(ts|js):\d+|SQLSTATE|pg_catalog|node_modules|ECONN|syntax error at|w_[0-9a-f]{16}/

/** Existing names, so that the hostile part is reached. */
const ODD_TABLE = 'odd "name\'; --'
const ODD_COLUMN = 'col\'); drop "x'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
  await workspace.sql(
    `create table data.${quote(ODD_TABLE)} (id int primary key, ${quote(ODD_COLUMN)} text, day date, doc json)`,
    `insert into data.${quote(ODD_TABLE)} select n, 'v' || n, date '2024-01-01' + n, '{}' from generate_series(1, 50) n`,
    'create table data.words (id int primary key, word text)',
    "insert into data.words select n, 'w' || n from generate_series(1, 50) n",
    `create view data.odd as select * from data.${quote(ODD_TABLE)}`,
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const NASTY = [
  "'; drop table data.words; --",
  '"; drop schema data cascade; --',
  "' or 1=1 --",
  '$1',
  '%',
  '\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Ewords',
  'WORDS',
  '"words"',
  'data.words',
  'x'.repeat(64),
  'pg_class',
  'ctid',
  '(0,1)',
  '',
  ' ',
  '👩‍🚀',
]
const nasty = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 40 }))
const mostly = (...real: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...real) }, { weight: 2, arbitrary: nasty })

const column = mostly('id', ODD_COLUMN, 'day', 'doc', 'word')
const operator = fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains', 'starts_with', 'in', 'is_null')
const filters = fc.array(fc.record({ column, operator, value: mostly('7', '2024-01-05', '{}') }), { maxLength: 3 })
const cursor = fc.oneof(
  nasty,
  fc
    .tuple(nasty, fc.constantFrom('values', 'nulls'), nasty, nasty)
    .map(([of, phase, value, tie]) => Buffer.from(JSON.stringify([of, phase, value, [tie], 0])).toString('base64url')),
  fc.tuple(fc.constantFrom('t', 'p'), nasty).map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
)

const newColumn = (name: string) => ({ name, type: 'text', is_nullable: true, is_primary_key: false })

const REMOVES = new Set(['deleteTable', 'deleteSchema', 'renameTable', 'renameSchema'])

/** Valid input with hostile strings as names, values and cursors. */
function inputFor(endpoint: Endpoint) {
  const isGone = REMOVES.has(endpoint.id)
  return fc
    .record({
      shaped: shapedInput(endpoint),
      schema_name: isGone ? nasty : mostly('data'),
      table_name: isGone ? nasty : mostly(ODD_TABLE, 'words', 'odd'),
      column,
      filters,
      cursor,
      text: nasty,
      columns: fc.array(fc.record({ name: column, description: nasty }), { maxLength: 3 }),
    })
    .map(({ shaped, ...made }) => {
      const names = { ...workspace.database, schema_name: made.schema_name, table_name: made.table_name }
      const fields: Record<string, unknown> = {
        ...names,
        sort: made.column,
        column: made.column,
        after: made.cursor,
        key: made.cursor,
        search: made.text,
        filters: JSON.stringify(made.filters),
        description: made.text,
        columns: endpoint.id === 'createTable' ? [newColumn(made.text), newColumn('plain')] : made.columns,
        new_table_name: made.text,
        new_schema_name: made.text,
        name: made.text,
      }
      const overlay = (part: unknown) =>
        part && typeof part === 'object' && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fields[name] ?? value]))
          : part
      const body = overlay(shaped.body) as Record<string, unknown> | undefined
      if (body && 'filters' in body) body['filters'] = made.filters
      return {
        params: { ...shaped.params, ...names, ...workspace.tenant },
        query: { ...(overlay(shaped.query) as object) },
        body,
      }
    })
}

test.each(
  [...explorerEndpoints, ...rowsEndpoints, ...labelsEndpoints].map((endpoint) => [endpoint.id, endpoint] as const),
)('%s takes hostile names, values and cursors for what they are', async (_, endpoint: Endpoint) => {
  await fc.assert(
    fc.asyncProperty(inputFor(endpoint), async (input) => {
      const answer = await workspace.account.owner.call(endpoint, input)
      expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(500)
      if (answer.status < 400) return
      expect(answer.text).not.toMatch(LEAKS)
      expect(Object.keys(ERRORS)).toContain(answer.errors[0]?.code)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  const [counts] = await workspace.sql('select (select count(*) from data.words), (select count(*) from data.odd)')
  expect(counts).toEqual(['50', '50'])
})
