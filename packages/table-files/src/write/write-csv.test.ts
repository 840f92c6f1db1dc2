import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileColumn, FileRow } from './table-stream.ts'
import { type CsvOptions, writeCsv } from './write-csv.ts'

const text = (name: string): FileColumn => ({ name, type: { kind: 'text' } })

function toDataRow(row: FileRow): Buffer {
  const cells = row.flatMap((value) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value))
    return value === null ? [length] : [length, Buffer.from(value)]
  })
  const body = Buffer.concat(cells)
  const head = Buffer.alloc(7)
  head.write('D')
  head.writeUInt32BE(6 + body.length, 1)
  head.writeUInt16BE(row.length, 5)
  return Buffer.concat([head, body])
}

async function write(columns: readonly FileColumn[], rows: readonly FileRow[], options: CsvOptions): Promise<string> {
  async function* batches() {
    for (const row of rows) yield await Promise.resolve({ bytes: toDataRow(row), rows: 1 })
    yield { bytes: Buffer.concat(rows.map(toDataRow)), rows: rows.length }
  }
  const parts: Uint8Array[] = []
  const lines = writeCsv({ columns, batches: batches() }, options)
  for (;;) {
    const step = await lines.next()
    if (step.done) {
      expect(step.value).toBe(rows.length * 2)
      return Buffer.concat(parts).toString()
    }
    parts.push(Buffer.from(step.value))
  }
}

/** Tells quoted fields from plain ones. */
function parse(csv: string): { value: string; isQuoted: boolean }[][] {
  const lines: { value: string; isQuoted: boolean }[][] = [[]]
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    lines.at(-1)?.push({ value: quoted?.replaceAll('""', '"') ?? plain, isQuoted: quoted !== undefined })
    if (end === '\n') lines.push([])
    else if (end === '') break
  }
  return lines.slice(0, -1)
}

test('tells NULL from an empty text, and writes words for booleans', async () => {
  const columns = [text('a'), text('b'), { name: 'c', type: { kind: 'boolean' } as const }]
  const row = [null, '', 't']
  expect(await write(columns, [row, ['x', null, 'f'], [null, null, null]], { isFormulaSafe: true })).toBe(
    'a,b,c\n' + ',"",true\nx,,false\n,,\n'.repeat(2),
  )
})

test('columns that are not looked at byte by byte are as safe as texts', async () => {
  const columns = (['timestamptz', 'float64', 'int64', 'boolean'] as const).map((kind) => ({
    name: kind,
    type: { kind },
  }))
  const rows = [
    ['2026-01-01 00:00:01+00', '1.5e+300', '-7', 't'],
    ['-infinity', '-Infinity', null, 'f'],
    ['0044-03-15 12:00:00+00 BC', '-0.25', '9', null],
  ]
  const expected = (dangerous: string) =>
    `timestamptz,float64,int64,boolean\n${`2026-01-01 00:00:01+00,1.5e+300,-7,true\n${dangerous},,false\n0044-03-15 12:00:00+00 BC,-0.25,9,\n`.repeat(2)}`
  expect(await write(columns, rows, { isFormulaSafe: true })).toBe(expected("'-infinity,'-Infinity"))
  expect(await write(columns, rows, { isFormulaSafe: false })).toBe(expected('-infinity,-Infinity'))
})

test('formulas get an apostrophe where that is asked for; numbers stay numbers', async () => {
  const cells = ['=1+1', '+a', '-5', '-1.5e3', '@x', '\tx', '-Infinity', 'a=b', '+1']
  const column = [text('a')]
  const rows = cells.map((cell) => [cell])
  const safe = ["'=1+1", "'+a", '-5', '-1.5e3', "'@x", "'\tx", "'-Infinity", 'a=b', '+1']
  const lines = (values: string[]) => `a\n${`${values.join('\n')}\n`.repeat(2)}`
  expect(await write(column, rows, { isFormulaSafe: true })).toBe(lines(safe))
  expect(await write(column, rows, { isFormulaSafe: false })).toBe(lines(cells.with(5, '"\tx"')))
})

test('any text comes back from the file as it was', async () => {
  const cell = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', ',', '\r\n', ' x', 'x\u00A0')))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
      const valid = rows.map((row) => row.map((value) => value && Buffer.from(value).toString()))
      const [, ...found] = parse(await write([text('a'), text('b')], valid, { isFormulaSafe: false }))
      const expected = valid.map((row) => row.map((value) => ({ value: value ?? '', isEmpty: value === '' })))
      const seen = found.map((row) => row.map(({ value, isQuoted }) => ({ value, isEmpty: isQuoted && value === '' })))
      expect(seen).toEqual([...expected, ...expected])
      for (const { value, isQuoted } of found.flat()) if (/[\r\n",]|^\s|\s$/.test(value)) expect(isQuoted).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('a cell larger than its batch is quoted whole', async () => {
  const value = '"'.repeat(100_000)
  const csv = await write([text('a')], [[value]], { isFormulaSafe: true })
  expect(csv).toBe(`a\n${`"${value}${value}"\n`.repeat(2)}`)
})

test('cells of any length are written whole, wherever a special sign stands in them', async () => {
  const signs = ['a', 'é', '"', ',', '\n', '\r', '0', ' ']
  const cell = fc.option(fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 }), { nil: null })
  const number = fc.option(fc.bigInt().map(String), { nil: null })
  const columns = [text('a'), { name: 'n', type: { kind: 'int64' } as const }, text('b')]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, number, cell), { maxLength: 6 }), async (rows) => {
      const csv = await write(columns, rows, { isFormulaSafe: false })
      const expected = rows.map((row) => row.map((value) => ({ value: value ?? '', isQuoted: value === '' })))
      const [, ...lines] = parse(csv)
      const seen = lines.map((line) =>
        line.map(({ value, isQuoted }) => ({ value, isQuoted: isQuoted && value === '' })),
      )
      expect(seen).toEqual([...expected, ...expected])
    }),
    { numRuns: 500 },
  )
})
