import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type CatalogueTable, findTable } from '../catalogue/find-table.ts'
import { withCatalogueSession } from '../catalogue/plain-session.ts'
import type { Cluster } from '../cluster.ts'
import { type TestWorkspace, testCluster, testWorkspace } from '../testing.ts'
import { OPERATORS, type RowFilter, toConditions, createParameterList } from './filters.ts'
import { countRows } from './read-cell.ts'

let cluster: Cluster
let workspace: TestWorkspace

const ROWS = 400

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  const some = (value: string, every: number) => `case when n % ${every} = 0 then null else ${value} end`
  await workspace.runAll('rw', [
    "create type data.size as enum ('small', 'medium', 'large')",
    'create domain data.positive as int check (value > 0)',
    `create table data.mixed (small smallint, big bigint, exact numeric, wide double precision, word text, short varchar(4),
       padded char(4), day date, moment timestamptz, clock time, id uuid, isgood boolean, size data.size, doc jsonb, raw json,
       tags text[], counted data.positive, span interval, bits bit(4), address inet, blob bytea)`,
    `insert into data.mixed select ${some('n % 20', 3)}, ${some('n * 1000000007::bigint', 4)}, ${some('n / 7.0', 5)},
       ${some("case when n % 50 = 1 then 'NaN'::float8 else n * 1.5 end", 6)}, ${some("'Word ' || n % 30", 7)},
       ${some("left('abcd' || n, 1 + n % 4)", 8)}, ${some("left('xy' || n, 1 + n % 4)", 9)}, ${some("date '2024-02-28' + n % 5", 3)},
       ${some("timestamptz '2024-03-31 00:30:00+00' + n * interval '1 hour'", 4)}, ${some("time '00:00' + n * interval '1 minute'", 5)},
       ${some('md5((n % 10)::text)::uuid', 6)}, ${some('n % 2 = 0', 7)}, ${some("(array['small','medium','large'])[1 + n % 3]::data.size", 8)},
       ${some("jsonb_build_object('n', n % 9)", 9)}, ${some("json_build_object('n', n % 9)", 3)}, ${some("array['a', 't' || n % 3]", 4)},
       ${some('1 + n % 6', 5)}, ${some("n * interval '1 day'", 6)}, ${some('(n % 16)::bit(4)', 7)}, ${some("('10.0.0.' || n % 256)::inet", 8)},
       ${some("decode(md5(n::text), 'hex')", 9)}
       from generate_series(1, ${ROWS}) n`,
  ])
})

/** All valid for their column types. */
const VALUES: Record<string, fc.Arbitrary<string>> = {
  small: fc.integer({ min: -5, max: 25 }).map(String),
  big: fc.integer().map(String),
  exact: fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toFixed(3)),
  wide: fc.oneof(fc.constantFrom('NaN', 'Infinity', '-Infinity', '1e300'), fc.double({ noNaN: true }).map(String)),
  word: fc.oneof(fc.constantFrom('Word 3', 'word', 'WORD 1', '', '%', "'"), fc.string({ unit: 'grapheme' })),
  short: fc.constantFrom('a', 'abcd', 'abcdefgh', ''),
  padded: fc.constantFrom('x', 'xy1', 'xy  ', 'xy123456'),
  day: fc.constantFrom('2024-02-29', '2024-03-01', 'infinity', 'today'),
  moment: fc.constantFrom('2024-03-31 02:00+02', '2024-04-01', '-infinity'),
  clock: fc.constantFrom('00:30', '12:00:00.5', '24:00'),
  id: fc.constantFrom('c4ca4238-a0b9-2382-0dcc-509a6f75849b', '{CFCD2084-95D5-65EF-66E7-DFF9F98764DA}'),
  isgood: fc.constantFrom('true', 'f', 'YES', '0'),
  size: fc.constantFrom('small', 'medium', 'large'),
  doc: fc.constantFrom('{"n": 3}', '[]', 'null', '"n"'),
  raw: fc.constantFrom('{"n" : 3}', 'anything'),
  tags: fc.constantFrom('{a,t1}', '{}', '{a,NULL}'),
  counted: fc.integer({ min: -3, max: 9 }).map(String),
  span: fc.constantFrom('1 day', '2 weeks', 'P1M', '-3 hours'),
  bits: fc.constantFrom('0101', '1', '11110000'),
  address: fc.constantFrom('10.0.0.7', '10.0.0.0/24', '::1'),
  blob: fc.constantFrom('\\x00ff', '\\xc4'),
}

const operators = [...Object.keys(OPERATORS), 'contains', 'starts_with', 'in', 'is_null', 'is_not_null']

const filter: fc.Arbitrary<RowFilter> = fc.constantFrom(...Object.keys(VALUES)).chain((column) =>
  fc.record({
    column: fc.constant(column),
    operator: fc.constantFrom(...(operators as RowFilter['operator'][])),
    value: VALUES[column] ?? fc.constant(''),
  }),
)

test('rows that fit, that do not fit and that can not be told are all rows, for 500 random filters', async () => {
  const samples = fc.sample(fc.array(filter, { minLength: 1, maxLength: 3 }), { numRuns: 500, seed: 20_260 })
  await withCatalogueSession(cluster, { ...workspace, role: 'ro' }, async (session) => {
    const table = (await findTable(session, { schema: 'data', name: 'mixed' })) as CatalogueTable
    for (const filters of samples) {
      const values: string[] = []
      const p = toConditions(table, filters, createParameterList(values)).join(' and ')
      const { rows } = await session.query({
        text: `select count(*) filter (where ${p}), count(*) filter (where not (${p})),
                      count(*) filter (where (${p}) is null) from data.mixed`,
        values,
      })
      const counts = (rows[0] ?? []).map(Number)
      const about = JSON.stringify(filters)
      expect(
        counts.reduce((sum, count) => sum + count, 0),
        about,
      ).toBe(ROWS)
      expect(await countRows(session, table, filters), about).toBe(counts[0])
    }
  })
})
