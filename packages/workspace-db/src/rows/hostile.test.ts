import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { findSchema, findTable } from '../catalogue/find-table.ts'
import { createTable } from '../catalogue/change-tables.ts'
import { withCatalogueSession } from '../catalogue/plain-session.ts'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import type { Session } from '../session.ts'
import { type TestWorkspace, testCluster, testWorkspace } from '../testing.ts'
import { copyRows } from './copy-rows.ts'
import { type RowFilter, toConditions } from './filters.ts'
import { planPage } from './plan-page.ts'
import { countRows, findCell } from './read-cell.ts'
import { readPage } from './read-page.ts'

const HOSTILE = 5_000
const ASKED = Number(process.env['TRELLIS_FUZZ_RUNS'] ?? 30) * 20

const NASTY = [
  "'; drop table data.words; --",
  '"; drop table data.words; --',
  "' or '1'='1",
  "') or true --",
  '$1',
  '$$; select 1; $$',
  "E'\\x27'",
  '\\',
  "\\'",
  '/* */',
  '--',
  '%',
  '_',
  '%s',
  '${x}',
  'pg_catalog.pg_class',
  'data.words',
  '"words"',
  'WORDS',
  'ctid',
  '(0,1)',
  'null',
  'NULL',
  '\u202Ewords',
  'wo\u200brds',
  'words\0',
  '\ud800',
  'café',
  'cafe\u0301',
  '👩‍🚀',
  'x'.repeat(64),
  'é'.repeat(40),
  '\r\n',
  '\t',
  '{"a":1}',
  '{words}',
  '::int',
  "current_setting('trellis.value_1')",
]

const hostile = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.tuple(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 12 })).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

let cluster: Cluster
let workspace: TestWorkspace
const strings = fc.sample(hostile, { numRuns: HOSTILE, seed: 4 })
/** Postgres cannot store NUL. */
const storable = strings.filter((text) => !text.includes('\0')).map((text) => text.toWellFormed())

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  await workspace.run('rw', 'create table data.words (id int primary key, word text, number int)')
  await withCatalogueSession(cluster, { ...workspace, role: 'rw' }, (session) =>
    session.query({
      text: `insert into data.words select place, word, place from json_array_elements_text($1::json) with ordinality w(word, place)`,
      values: [JSON.stringify(storable)],
    }),
  )
})

const inside = <T>(work: (session: Session) => Promise<T>, role: 'ro' | 'rw' = 'ro') =>
  withCatalogueSession(cluster, { ...workspace, role }, work)

async function getTable(session: Session, name: string) {
  const table = await findTable(session, { schema: 'data', name })
  if (!table) throw new Error(`no table ${name}`)
  return table
}

const only = async (work: Promise<unknown>, codes: string[]) =>
  await work.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof WorkspaceDbError)) throw error
      expect(codes, error.message).toContain(error.code)
    },
  )

describe(`${HOSTILE} hostile texts`, () => {
  test('as filter values never change the statement', async () => {
    const table = await inside((session) => getTable(session, 'words'))
    const shape = (filters: readonly RowFilter[]) =>
      planPage(table, { limit: 10, filters, sort: 'word' })
        .steps.map((step) => step.statement(10).text)
        .join('\n')
    for (const operator of ['eq', 'ne', 'gt', 'contains', 'starts_with', 'in'] as const) {
      const plain = shape([{ column: 'word', operator, value: 'plain' }])
      expect(strings.filter((value) => shape([{ column: 'word', operator, value }]) !== plain)).toEqual([])
    }
  })

  test('as names of columns are columns of the table or nothing', async () => {
    const table = await inside((session) => getTable(session, 'words'))
    const takenStrings = strings.filter(
      (column) =>
        !isRefused(() => toConditions(table, [{ column, operator: 'is_null' }], () => '')) ||
        !isRefused(() => planPage(table, { limit: 1, filters: [], sort: column })),
    )
    expect(takenStrings).toEqual([])
  })

  test('as filter values find the rows that are equal and no others', async () => {
    const times = new Map<string, number>()
    for (const text of storable) times.set(text, (times.get(text) ?? 0) + 1)
    await inside(async (session) => {
      const table = await getTable(session, 'words')
      for (const [value, count] of [...times].slice(0, ASKED)) {
        expect(await countRows(session, table, [{ column: 'word', operator: 'eq', value }]), value).toBe(count)
      }
      expect(await countRows(session, table, [])).toBe(storable.length)
    })
  })

  test('as filter values of an export are the same as of a page', async () => {
    await inside(async (session) => {
      const table = await getTable(session, 'words')
      for (const value of strings.slice(0, ASKED)) {
        const filters: RowFilter[] = [{ column: 'word', operator: 'eq', value }]
        const exported = countExported(copyRows(session, table, { format: 'csv', filters }))
        if (value.includes('\0')) await expect(exported, value).rejects.toMatchObject({ code: 'bad_value' })
        else expect(await exported, value).toBe(storable.filter((text) => text === value.toWellFormed()).length)
      }
    })
  })

  test('as names of schemas and tables find nothing', async () => {
    await inside(async (session) => {
      for (const name of strings.slice(0, ASKED)) {
        expect(await findTable(session, { schema: 'data', name }), name).toBeUndefined()
        expect(await findSchema(session, name), name).toBeUndefined()
      }
    })
  })

  test('as cursors and keys are refused, and never more than that', async () => {
    await inside(async (session) => {
      const table = await getTable(session, 'words')
      const { next, rows } = await readPage(session, table, { limit: 5, filters: [], sort: 'word' })
      const parts = JSON.parse(Buffer.from(next ?? '', 'base64url').toString()) as unknown[]
      const key = JSON.parse(Buffer.from(rows[0]?.key ?? '', 'base64url').toString()) as unknown[]
      for (const text of strings.slice(0, ASKED / 2)) {
        const forged = [
          text,
          encode([parts[0], 'values', text, [text], 0]),
          encode([parts[0], 'nulls', null, [text], 0]),
        ]
        for (const after of forged) {
          const page = readPage(session, table, { limit: 5, filters: [], sort: 'word', after })
          await only(page, ['bad_value', 'statement_failed'])
        }
        for (const forgedKey of [text, encode([key[0], text]), encode(['t', text])]) {
          await only(findCell(session, table, { column: 'word', key: forgedKey }), ['bad_value', 'statement_failed'])
        }
      }
      expect(await countRows(session, table, [])).toBe(storable.length)
    })
  })

  test('as names of new tables and columns are those names and nothing else', async () => {
    const names = [...new Set(storable)]
      .filter((name) => name !== '' && name !== 'ctid' && Buffer.byteLength(name) <= 60)
      .slice(0, 100)
    await inside(async (session) => {
      const schema = await findSchema(session, 'data')
      if (!schema) throw new Error('no schema')
      for (const [at, name] of names.entries()) {
        const table = `${at}${name}`.slice(0, 60)
        if (Buffer.byteLength(table) > 63) continue
        const column = { name, type: 'text', isNullable: true, isPrimaryKey: false }
        await createTable(session, { schema, name: table, columns: [column] })
        const catalogueTable = await getTable(session, table.toWellFormed())
        expect(catalogueTable.columns.map((catalogueColumn) => catalogueColumn.name)).toEqual([name])
        const page = await readPage(session, catalogueTable, {
          limit: 1,
          filters: [{ column: name, operator: 'eq', value: name }],
          sort: name,
        })
        expect(page.rows).toEqual([])
      }
    }, 'rw')
  })
})

async function countExported(rows: ReturnType<typeof copyRows>): Promise<number> {
  for (;;) {
    const { done, value } = await rows.next()
    if (done) return value
  }
}

function isRefused(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch (error) {
    return error instanceof WorkspaceDbError && error.code === 'bad_value'
  }
}

const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
