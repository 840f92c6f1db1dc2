import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { type Cell, toColumns } from './columns.ts'
import { toRows } from './testing.ts'
import { listPackages } from './package-list.ts'
import type { SandboxError } from './sandbox-error.ts'
import { openSandbox, type Sandbox, type SandboxRequest } from './sandbox.ts'

const open: Sandbox[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))
})

async function start(code: string, more: Partial<SandboxRequest> = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ code, ...more })
  open.push(sandbox)
  return sandbox
}
const table = (names: string[], rows: Cell[][]) => toColumns(names, rows)
const catchFailure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: SandboxError) => ({ fault: error.fault, line: error.line, column: error.column, message: error.message }),
  )

test('columns go in and come out with their values, gaps and awkward texts', async () => {
  const names = ['n', 'gap', 'text', 'flag', '__proto__']
  const rows: Cell[][] = [
    [1.5, null, 'a\u0001b', true, 'x'],
    [-2, 7, 'tab\tline\nquote"\u{1f600}', false, 'y'],
    [3, 8, '', null, 'z'],
  ]
  const sandbox = await start('export default (columns) => columns')
  expect(toRows((await sandbox.run(table(names, rows)))!)).toEqual(rows)
  expect((await sandbox.run(table(names, [])))?.rowCount).toBe(0)
})

test('numbers are typed arrays whose map can make texts, and a result may be of any kind', async () => {
  const sandbox = await start(`export default ({ n }) => ({
    typed: [...n].map(() => n instanceof Float64Array),
    label: n.map((value) => (value > 1 ? 'high' : 'low')),
    half: n.map((value) => value / 2),
    bad: n.map((value) => value / 0 - value / 0),
    big: n.map((value) => 2n ** 64n),
    at: n.map(() => new Date(0)),
    list: n.map((value) => [value, { a: null }]),
    ints: Int32Array.from(n),
    zero: n.map(() => 'a\\0b'),
  })`)
  const out = await sandbox.run(table(['n'], [[1], [2]]))
  expect(Object.fromEntries(out!.names.map((name, at) => [name, toRows(out!)[1]?.[at]]))).toEqual({
    typed: true,
    label: 'high',
    half: 1,
    bad: null,
    big: '18446744073709551616',
    at: '1970-01-01T00:00:00.000Z',
    list: '[2,{"a":null}]',
    ints: 2,
    zero: 'a\0b',
  })
})

test('rows, nothing, promises and what is kept between batches', async () => {
  const sandbox = await start(`let seen = 0
    export default async ({ n }, { batch }) => { seen += n.length; return batch === 2 ? undefined : [{ a: seen }, { b: 'x', a: null }] }
    export const finish = () => ({ seen: [seen] })`)
  const first = await sandbox.run(table(['n'], [[1], [2]]))
  expect([first!.names, toRows(first!)]).toEqual([
    ['a', 'b'],
    [
      [2, null],
      [null, 'x'],
    ],
  ])
  expect(await sandbox.run(table(['n'], [[3]]))).toBeUndefined()
  expect(toRows((await sandbox.finish())!)).toEqual([[3]])
})

test('lines printed are handed over, cut, and counted beyond the limit', async () => {
  const lines: string[] = []
  const sandbox = await start(
    `export default ({ n }) => { for (const i of [1, 2, 3, 4]) console.log('line', i, { a: [1] }, n); console.error('x'.repeat(9000)); return {} }`,
    { onLine: (line) => lines.push(line), limits: { consoleLines: 2 } },
  )
  await sandbox.run(table(['n'], [[1]]))
  expect(lines).toEqual(['line 1 {"a":[1]} [1]', 'line 2 {"a":[1]} [1]', '… 3 more lines were dropped.'])
})

test.each([
  [
    'throws',
    `export default () => {\n  const a = 1\n  throw new Error('no price in row 3')\n}`,
    { message: 'Error: no price in row 3', line: 3 },
  ],
  [
    'reads of nothing',
    `export default (columns) => {\n  const x = 1\n  return columns.prices.map(String)\n}`,
    { message: "TypeError: cannot read property 'map' of undefined", line: 3 },
  ],
  [
    'names what is not there',
    `export default (columns) => {\n\n  return prices\n}`,
    { message: 'ReferenceError: prices is not defined', line: 3 },
  ],
])('code that %s is told with its line', async (_, code, told) => {
  const sandbox = await start(code)
  const [first, again] = [
    await catchFailure(sandbox.run(table(['n'], [[1]]))),
    await catchFailure(sandbox.run(table(['n'], [[1]]))),
  ]
  expect(first).toMatchObject({ fault: 'code', ...told })
  expect(first.column).toBeGreaterThan(1)
  expect(again).toEqual(first)
})

test.each([
  ['const a = 1\nlet b = a + ;\nexport default () => b', { fault: 'code', line: 2, column: 13 }],
  ['const a = 1', { fault: 'code', message: expect.stringContaining('exports no function') }],
  [
    `import fs from %node:fs%\nexport default () => ({})`,
    { fault: 'code', message: expect.stringContaining('no package "node:fs"') },
  ],
  [
    `import { day } from %trellis/dates%\nexport default () => ({})`,
    { fault: 'code', message: expect.stringContaining('not chosen') },
  ],
  ['for (;;) {}\nexport default () => ({})', { fault: 'time' }],
])('code that can not be begun says why: %s', async (code, expected) => {
  expect(await catchFailure(openSandbox({ code: code.replaceAll('%', "'"), limits: { batchMs: 200 } }))).toMatchObject(
    expected,
  )
})

test.each([
  ['({ a: 1 })', 'not a list'],
  ['({ a: [1], b: [1, 2] })', 'differ in length: a (1), b (2)'],
  ['[1, 2]', 'Row 1 of what came back is not an object'],
  ['"text"', 'Nothing usable came back'],
  ['new Promise(() => {})', 'never comes'],
])('what is no table is refused: %s', async (result, message) => {
  const sandbox = await start(`export default () => (${result})`)
  const failure = await catchFailure(sandbox.run(table(['n'], [[1]])))
  expect(failure.fault).toBe('output')
  expect(failure.message).toContain(message)
})

test('every package can be imported and does what it says', async () => {
  const packages = listPackages().map(({ name }) => name)
  const sandbox = await start(
    `import { fromRows, createGroups, filterRows, toRows } from %trellis/columns%
    import * as dates from %trellis/dates%
    import { sha256, shortHash } from %trellis/hash%
    import * as text from %trellis/text%
    export default (columns) => {
      const groups = createGroups(['city'], { total: ['sum', 'n'], rows: ['count'], top: ['max', 'n'] })
      groups.add(columns)
      const answers = [
        groups.columns(), fromRows(toRows(filterRows(columns, (row) => columns.n[row] > 1))),
        dates.day('2026-03-01T00:30:00+02:00'), dates.addMonths('2026-01-31', 1), dates.startOf('week', '2026-11-15'),
        dates.daysBetween('2026-02-27', '2026-03-01'), dates.daysFrom('2026-12-31', '2027-01-01'), dates.parse('2026-02-30'),
        sha256('Grüße'), sha256('x'.repeat(200)), shortHash('a'),
        text.clean('  a   b '), text.slug('Éclair & Co.'), text.titleCase("o'neill  STREET"),
        ['1,234.50', '1.234,50', '(12)', '5 \\x25', '1 234', 'none'].map(text.toNumber), text.emailDomain('A@Example.org'),
        text.similarity('kitten', 'sitting').toFixed(2),
      ]
      return { answers }
    }`.replaceAll('%', "'"),
    { packages },
  )
  const out = await sandbox.run(
    table(
      ['city', 'n'],
      [
        ['a', 1],
        ['b', 2],
        ['a', 3],
      ],
    ),
  )
  const sha = (value: string) => createHash('sha256').update(value).digest('hex')
  expect(toRows(out!).map(([cell]) => cell)).toEqual([
    '{"city":["a","b"],"total":[4,2],"rows":[2,1],"top":[3,2]}',
    '{"city":["b","a"],"n":[2,3]}',
    '2026-02-28',
    '2026-02-28',
    '2026-11-09',
    2,
    '["2026-12-31","2027-01-01"]',
    null,
    sha('Grüße'),
    sha('x'.repeat(200)),
    'e40c292c',
    'a b',
    'eclair-co',
    "O'neill  Street",
    '[1234.5,1234.5,-12,0.05,1234,null]',
    'example.org',
    '0.57',
  ])
})
