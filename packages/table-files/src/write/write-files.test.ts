import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { type FileColumn, type FileRow, FormatLimit, type TableStream, toColumnKind } from './table-stream.ts'
import { writeParquet } from './write-parquet.ts'
import { writeXlsx } from './write-xlsx.ts'

async function* inBatches(rows: Iterable<FileRow>, size = 7): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield await Promise.resolve(batch)
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function collectBytes(bytes: AsyncGenerator<Uint8Array, number>): Promise<{ file: Buffer; rows: number }> {
  const chunks: Uint8Array[] = []
  for (;;) {
    const step = await bytes.next()
    if (step.done) return { file: Buffer.concat(chunks), rows: step.value }
    chunks.push(step.value)
  }
}

const text = (name: string): FileColumn => ({ name, type: { kind: 'text' } })
const table = (columns: readonly FileColumn[], rows: Iterable<FileRow>, size?: number): TableStream => ({
  columns,
  batches: inBatches(rows, size),
})

test('types of Postgres are kept where a file has the same', () => {
  expect(toColumnKind('bigint', 'bigint')).toEqual({ kind: 'int64' })
  expect(toColumnKind('numeric', 'numeric(12,2)')).toEqual({ kind: 'decimal', precision: 12, scale: 2 })
  expect(toColumnKind('numeric', 'numeric')).toEqual({ kind: 'text' })
  expect(toColumnKind('numeric', 'numeric(50,2)')).toEqual({ kind: 'text' })
  expect(toColumnKind('numeric', 'numeric(2,5)')).toEqual({ kind: 'decimal', precision: 5, scale: 5 })
  expect(toColumnKind('jsonb', 'jsonb')).toEqual({ kind: 'text' })
})

describe('Parquet', () => {
  const read = async (file: Buffer) =>
    await parquetReadObjects({ file: new Uint8Array(file).buffer as ArrayBuffer, compressors })

  test('brings every value back', async () => {
    const columns: FileColumn[] = [
      { name: 'big', type: { kind: 'int64' } },
      { name: 'small', type: { kind: 'int32' } },
      { name: 'money', type: { kind: 'decimal', precision: 38, scale: 4 } },
      { name: 'wide', type: { kind: 'float64' } },
      { name: 'yes', type: { kind: 'boolean' } },
      { name: 'day', type: { kind: 'date' } },
      { name: 'at', type: { kind: 'timestamptz' } },
      { name: 'word', type: { kind: 'text' } },
    ]
    const rows: FileRow[] = [
      [
        '-9223372036854775808',
        '-2147483648',
        '-12.3400',
        'NaN',
        't',
        '0001-01-01',
        '9999-12-31 23:59:59.999+00',
        '\0 😀',
      ],
      [null, null, null, null, null, null, null, null],
      ['9223372036854775807', '7', '0.0001', '-Infinity', 'f', '2024-02-29', '1969-12-31 23:59:59.5+00', ''],
    ]
    const { file, rows: written } = await collectBytes(writeParquet(table(columns, rows)))
    expect(written).toBe(3)
    const [first, none, last] = await read(file)
    expect(first).toMatchObject({ big: -9_223_372_036_854_775_808n, small: -2_147_483_648, yes: true, word: '\0 😀' })
    expect(first?.['money']).toBeCloseTo(-12.34)
    expect(first?.['wide']).toBeNaN()
    expect(first?.['day']).toEqual(new Date('0001-01-01'))
    expect(first?.['at']).toEqual(new Date('9999-12-31T23:59:59.999Z'))
    expect(Object.values(none ?? {}).every((value) => value === null || value === undefined)).toBe(true)
    expect(last).toMatchObject({ big: 9_223_372_036_854_775_807n, wide: -Infinity, yes: false, word: '' })
    expect(last?.['at']).toEqual(new Date('1969-12-31T23:59:59.500Z'))
  })

  test('is written in groups, and read as one', async () => {
    const count = 120_000
    const rows = Array.from({ length: count }, (_, at) => [String(at)])
    const { file } = await collectBytes(writeParquet(table([{ name: 'n', type: { kind: 'int32' } }], rows, 5000)))
    const found = await read(file)
    expect(found).toHaveLength(count)
    expect(found.at(-1)).toEqual({ n: count - 1 })
  })

  test('without rows is a file all the same', async () => {
    const { file, rows } = await collectBytes(writeParquet(table([text('a')], [])))
    expect(rows).toBe(0)
    expect(await read(file)).toEqual([])
  })

  test.each([
    ['date', 'infinity'],
    ['timestamp', '0044-03-15 00:00:00 BC'],
    ['decimal', 'NaN'],
  ] as const)('says which %s it has no place for', async (kind, value) => {
    const type = kind === 'decimal' ? { kind, precision: 5, scale: 2 } : { kind }
    const writing = collectBytes(writeParquet(table([{ name: 'when', type }], [[null], [value]])))
    await expect(writing).rejects.toThrow(FormatLimit)
    await expect(writing).rejects.toThrow(/^Row 2: .*"when"/)
  })
})

describe('XLSX', () => {
  const open = async (file: Buffer): Promise<Map<string, string>> => {
    const parts = new Map<string, string>()
    const zip = await yauzl.fromBufferPromise(file)
    for await (const entry of zip.eachEntry()) {
      const stream = await zip.openReadStreamPromise(entry)
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      parts.set(entry.fileName, Buffer.concat(chunks).toString())
    }
    return parts
  }
  const cellsIn = (sheet = '') =>
    [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map((row) =>
      [
        ...(row[1] ?? '').matchAll(/<c(?: t="(\w+)")?(?:\/>|>(?:<is><t[^>]*>|<v>)(.*?)(?:<\/t><\/is>|<\/v>)<\/c>)/gs),
      ].map((cell) => [cell[1] ?? '', cell[2] ?? null]),
    )

  test('never makes a formula, and keeps numbers that fit', async () => {
    const columns: FileColumn[] = [
      text('=cmd'),
      { name: 'n', type: { kind: 'int64' } },
      { name: 'ok', type: { kind: 'boolean' } },
    ]
    const rows: FileRow[] = [
      ['=1+1', '42', 't'],
      ['+A1<b>&', '9007199254740993', 'f'],
      ['a\u0001_x0041_\r\n', null, null],
    ]
    const { file, rows: written } = await collectBytes(writeXlsx(table(columns, rows)))
    expect(written).toBe(3)
    const parts = await open(file)
    expect(cellsIn(parts.get('xl/worksheets/sheet1.xml'))).toEqual([
      [
        ['inlineStr', '=cmd'],
        ['inlineStr', 'n'],
        ['inlineStr', 'ok'],
      ],
      [
        ['inlineStr', '=1+1'],
        ['', '42'],
        ['b', '1'],
      ],
      [
        ['inlineStr', '+A1&lt;b&gt;&amp;'],
        ['inlineStr', '9007199254740993'],
        ['b', '0'],
      ],
      [
        ['inlineStr', 'a_x0001__x005F_x0041_&#13;\n'],
        ['', null],
        ['', null],
      ],
    ])
    expect([...parts.keys()].toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
    expect(parts.get('xl/worksheets/sheet1.xml')).not.toContain('<f>')
  })

  test('writes dates and times as such, and as text what its calendar does not have', async () => {
    const columns: FileColumn[] = (['date', 'time', 'timestamp', 'timestamptz'] as const).map((kind) => ({
      name: kind,
      type: { kind },
    }))
    const rows: FileRow[] = [
      ['2024-02-29', '12:00:00', '2024-02-29 18:00:00', '1900-03-01 00:00:00.5+00'],
      ['1900-02-28', '24:00:00', 'infinity', '0044-03-15 00:00:00+00 BC'],
      ['9999-12-31', '23:59:59.999999', '10000-01-01 00:00:00', null],
    ]
    const parts = await open((await collectBytes(writeXlsx(table(columns, rows)))).file)
    const [, first, odd, last] = (parts.get('xl/worksheets/sheet1.xml') ?? '').split('<row>').slice(1)
    expect(first).toContain(
      `<c s="1"><v>45351</v></c><c s="2"><v>0.5</v></c><c s="3"><v>45351.75</v></c><c s="3"><v>${61 + 0.5 / 86_400}</v></c>`,
    )
    expect(odd?.match(/inlineStr/g)).toHaveLength(4)
    expect(last).toContain('<c s="1"><v>2958465</v></c><c s="2"><v>0.99999')
    expect(last?.match(/inlineStr/g)).toHaveLength(1)
    expect(parts.get('xl/styles.xml')?.match(/<xf [^>]*applyNumberFormat/g)).toHaveLength(3)
    expect(parts.get('xl/_rels/workbook.xml.rels')).toContain('Target="styles.xml"')
  })

  test('goes on in a second sheet where the first is full', async () => {
    function* many(): Generator<FileRow> {
      for (let n = 1; n <= 1_048_580; n += 1) yield [String(n)]
    }
    const columns: FileColumn[] = [{ name: 'n', type: { kind: 'int32' } }]
    const { file, rows } = await collectBytes(writeXlsx(table(columns, many(), 10_000)))
    expect(rows).toBe(1_048_580)
    const parts = await open(file)
    expect(cellsIn(parts.get('xl/worksheets/sheet2.xml'))).toEqual([
      [['inlineStr', 'n']],
      ...['1048576', '1048577', '1048578', '1048579', '1048580'].map((n) => [['', n]]),
    ])
    expect(parts.get('xl/workbook.xml')).toContain('sheetId="2"')
  })

  test('refuses a cell that no spreadsheet can hold', async () => {
    const writing = collectBytes(writeXlsx(table([text('body')], [['x'.repeat(32_768)]])))
    await expect(writing).rejects.toThrow('Row 1, column "body" has 32,768 characters')
  })

  test('ends when its reader goes away', async () => {
    const seen = { isStarted: false, isClosed: false }
    async function* endless() {
      try {
        seen.isStarted = true
        for (;;) yield await Promise.resolve([['x'.repeat(1000)]])
      } finally {
        seen.isClosed = true
      }
    }
    const bytes = writeXlsx({ columns: [text('a')], batches: endless() })
    while (!seen.isStarted) await bytes.next()
    await bytes.return(0)
    expect(seen.isClosed).toBe(true)
  })

  test('holds any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 50 }), async (value) => {
        const { file } = await collectBytes(writeXlsx(table([text('a')], [[value]])))
        const sheet = (await open(file)).get('xl/worksheets/sheet1.xml') ?? ''
        expect(sheet.match(/<row>/g)).toHaveLength(2)
      }),
      { numRuns: 50 },
    )
  })
})
