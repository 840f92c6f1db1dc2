import { gzipSync } from 'node:zlib'
import type { Batch, Field, ReadState, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest } from '@trellis/connector-kit/connector'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { bufferSource } from '@trellis/table-files/read/byte-source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RemoteFile } from './profiled-file.ts'
import { readFiles } from './read-files.ts'

interface Read {
  fields: readonly Field[]
  batches: Batch[]
  rows: (readonly Value[])[]
  logs: readonly string[]
  bytes: number
  found: unknown
  isProvisional: boolean
}

interface Remote {
  format?: 'csv' | 'jsonl'
  version?: string
  isUnversioned?: boolean
}

async function read(
  files: (string | Buffer)[],
  request: Partial<ReadRequest> = {},
  { format = 'csv', version = '1', isUnversioned = false }: Remote = {},
): Promise<Read> {
  const context = createTestContext({})
  let bytes = 0
  const listedRemoteFiles = files.map((file, at): RemoteFile => {
    const source = bufferSource(Buffer.from(file))
    const { size } = source
    const stream = async function* (range?: { start?: number; end?: number }) {
      for await (const chunk of source.stream(range)) {
        bytes += chunk.length
        yield chunk
      }
    }
    return { name: `file ${at}`, version, isUnversioned, size, open: async () => ({ size, stream }) }
  })
  const reading = { given: { format }, isOnlyChanged: false }
  const {
    fields,
    batches,
    found,
    isProvisional = false,
  } = await readFiles(context, listedRemoteFiles, { request: { query: {}, ...request }, reading })
  const all: Batch[] = []
  for await (const batch of batches) all.push(batch)
  const rows = all.flatMap((batch) => (batch.kind === 'csv' ? batch.rows() : batch.kind === 'rows' ? batch.rows : []))
  return { fields, batches: all, rows, logs: context.logs, bytes, found, isProvisional }
}

const kinds = ({ batches }: Read) => [...new Set(batches.map(({ kind }) => kind))]

describe('the bytes of a file and its rows are the same table', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n1,ä\n2,"x\ny"\n', 'utf16le')])
  test.each<[string, string | Buffer]>([
    ['plain', 'a,b\n1,x\n2,y\n'],
    ['quotes, delimiters and line ends inside', 'a,b\n1,"x, ""y"""\n2,"two\nlines"\n3,"two\r\nlines"\n'],
    ['CRLF', 'a,b\r\n1,x\r\n2,"y\r\nz"\r\n'],
    ['CR', 'a,b\r1,x\r2,"y\rz"\r'],
    ['line ends of all kinds', 'a,b\n1,x\r\n2,y\r3,z\n'],
    ['a byte order mark', '\u{FEFF}a,b\n1,x\n'],
    ['the mark at which COPY ends', 'a\nx\n\\.\n"\\."\ny\n'],
    ['the same with two values', 'a,b\nx,\\.\n\\.,y\n\\.\n'],
    ['Windows-1252', Buffer.from('a,b\n1,caf\u00e9\n2,\u00fc\n', 'latin1')],
    ['UTF-16', utf16],
    ['gzip', gzipSync('a,b\n1,x\n2,y\n')],
    ['rows with too many and too few values', 'a,b\n1,x\n2\n3,y,z\n4,w\n'],
    ['a row with a zero byte', 'a,b\n1,x\n2,y\0\n3,z\n'],
    ['empty lines', 'a,b\n\n1,x\n\n\n2,y\n\n'],
    ['empty lines of one column', 'a\nx\n\ny\n""\n'],
    ['no line end at the end', 'a,b\n1,x\n2,y'],
    ['only a header', 'a,b\n'],
    ['no header', '1,2\n3,4\n'],
    ['nothing, and empty texts', 'a,b,c\n1,,""\n"",x,\n2,y,"  "\n'],
    ['odd quotes', 'a,b\n1,x"y\n2,"x"y\n3,"x" \n'],
    ['escaped quotes', 'a,b\n1,"x \\"y\\""\n2,"C:\\\\new\\\\"\n3,"z"\n'],
    ['single quotes', "a,b\n1,'x,y'\n2,'z'\n3,'it''s'\n4,'w'\n"],
    ['semicolons', 'a;b\n1;x,y\n2;"z;w"\n'],
    ['tabs', 'a\tb\n1\tx\n2\t"y\tz"\n'],
    ['dates, day first', 'a,b\n1,31/12/2025\n2,01/02/2026\n'],
    ['moments', 'a,b\n2026-01-02 03:04,2026-01-02T03:04:05.678Z\n2026-01-03 00:00,2026-01-02 03:04:05+02\n'],
    ['answers', 'a,b\nyes,T\nNo,f\n'],
  ])('%s', async (_, file) => {
    const passed = await read([file])
    const looked = await read([file], { limit: 1000 })
    expect(passed.rows).toEqual(looked.rows)
    expect(passed.fields).toEqual(looked.fields)
    expect(passed.logs).toEqual(looked.logs)
    if (passed.rows.length > 0) expect(kinds(passed)).toEqual(['csv'])
    expect(kinds(looked)).toEqual(['rows'])
  })

  test('whatever stands in its cells', async () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '\\', '.', 'é', "'", ';') }),
      fc.constantFrom('1', '2.5', '007', '2026-01-02', 'true', '', '-1', '1e5'),
    )
    const written = fc.tuple(cell, fc.boolean()).map(([text, isQuoted]) => {
      return isQuoted || /[",\n\r;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    const table = fc.array(fc.tuple(written, written, written), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n', '\r'), async (rows, eol) => {
        const file = ['one,two,three', ...rows.map((row) => row.join(','))].join(eol)
        expect((await read([file])).rows).toEqual((await read([file], { limit: 1000 })).rows)
      }),
      { numRuns: 150 },
    )
  })
})

test.each([
  ['numbers with a decimal comma', 'a;b\n1;2,5\n2;1.000,5\n'],
  ['numbers in groups', 'a,b\n1,"1,000"\n2,"2,500.5"\n'],
  ['words for nothing', 'a,b\n1,2\nNA,3\n2,4\n'],
])('%s are read cell by cell', async (_, file) => {
  expect(kinds(await read([file]))).toEqual(['rows'])
})

test('files of other columns are read cell by cell, the others are passed on', async () => {
  const { batches, rows } = await read(['a,b\n1,2\n', 'b,a\n3,4\n', 'a\n5\n'])
  expect(batches.map(({ kind }) => kind)).toEqual(['csv', 'csv', 'rows'])
  expect(rows).toEqual([
    [1, 2],
    [4, 3],
    [5, null],
  ])
})

const LINES = Array.from({ length: 30_000 }, (_, at) => `${at},2026-01-02,"row, ${at}",${at}.25`)
const LARGE = `id,day,name,amount\n${LINES.join('\n')}\n`
const TYPES = { id: 'integer', day: 'date', name: 'text', amount: 'decimal' } as const

describe('every record of a file is a row or is rejected', () => {
  const listRejected = ({ batches }: Read) => batches.flatMap(({ rejected = [] }) => rejected)

  test('with its line, its text and its cells by their places', async () => {
    const { rows, batches, logs } = await read([`a,b\n1,x\n2,"y\nz",3\n4\n${'5,"w"\n'.repeat(20)}`])
    // Missing values become NULL.
    expect(rows).toHaveLength(22)
    expect(batches.flatMap(({ rejected = [] }) => rejected)).toEqual([
      {
        line: 3,
        reason: 'The row has 3 values where 2 are expected.',
        raw: '2,"y\nz",3',
        cells: { a: '2', b: 'y\nz' },
      },
    ])
    expect(logs.join()).toContain('line 3: The row has 3 values where 2 are expected. The row is rejected.')
  })

  test.each([
    ['values too many', (at: number) => `${at},x,y`],
    ['a zero byte', (at: number) => `${at},x\0`],
  ])('%s: also when it is read on behind any batch', async (_, toBroken) => {
    const isBroken = (at: number) => at % 7 === 3 || (at > 12_000 && at < 24_000) || at === 39_999
    const lines = Array.from({ length: 40_000 }, (_line, at) => (isBroken(at) ? toBroken(at) : `${at},"a\nb ${at}"`))
    const file = `a,b\n${lines.join('\n')}\n`
    const wholeRead = await read([file])
    expect(wholeRead.rows.length + listRejected(wholeRead).length).toBe(40_000)
    expect(wholeRead.rows).toHaveLength(lines.filter((_line, at) => !isBroken(at)).length)
    for (const [at, { state }] of wholeRead.batches.entries()) {
      if (!state || at === wholeRead.batches.length - 1) continue
      const rest = await read([file], { state })
      const before = wholeRead.batches.slice(0, at + 1).flatMap(({ rejected = [] }) => rejected)
      expect([...before, ...listRejected(rest)].map(({ line }) => line)).toEqual(
        listRejected(wholeRead).map(({ line }) => line),
      )
    }
  })

  test('of lines of JSON too', async () => {
    const lines = ['{"a":1}', '{"a":2,}', '[3]', '"four"', '{"a":5}']
    const read5 = await read([lines.join('\n')], {}, { format: 'jsonl' })
    expect(read5.rows).toEqual([[1], [5]])
    expect(listRejected(read5).map(({ line, raw }) => [line, raw])).toEqual([
      [2, '{"a":2,}'],
      [3, '[3]'],
      [4, '"four"'],
    ])
  })

  test('a file of malformed records ends the read instead of filling the memory', async () => {
    const file = `a,b\n1,2\n${'1,2,3\n'.repeat(150_000)}`
    await expect(read([file])).rejects.toThrow('more than 100,000 malformed records')
  })
})

test('a read that was broken off goes on behind every batch', async () => {
  const wholeRead = await read([LARGE, LARGE])
  expect(wholeRead.batches.length).toBeGreaterThan(4)
  let before = 0
  for (const batch of wholeRead.batches) {
    before += batch.kind === 'csv' ? batch.rowCount : 0
    const state = JSON.parse(JSON.stringify(batch.state)) as ReadState
    if (!('pending' in state)) continue
    const { rows } = await read([LARGE, LARGE], { state })
    expect(JSON.stringify(rows) === JSON.stringify(wholeRead.rows.slice(before)), `behind ${before} rows`).toBe(true)
  }
})

test('a read of files that an earlier run has read too goes on behind every batch', async () => {
  const before = (await read([LARGE, LARGE])).batches.at(-1)?.state as ReadState
  const whole = await read([LARGE, LARGE], { state: before })
  expect(whole.rows).toHaveLength(60_000)
  let count = 0
  for (const batch of whole.batches.slice(0, -1)) {
    count += batch.kind === 'csv' ? batch.rowCount : 0
    const { rows } = await read([LARGE, LARGE], { state: batch.state as ReadState })
    expect(rows.length).toBe(60_000 - count)
  }
})

describe('a read that was broken off', () => {
  const readStates = async (isUnversioned: boolean) =>
    (await read([LARGE, LARGE], {}, { isUnversioned })).batches
      .slice(0, -1)
      .map(({ state }) => JSON.parse(JSON.stringify(state)) as ReadState)
  const OTHER = `${LARGE}8,2026-01-02,y,9\n`

  test.each([
    ['in another version', LARGE, false],
    ['of another size, when the server tells no version', OTHER, true],
  ])('does not go on in a file %s', async (_, file, isUnversioned) => {
    const states = await readStates(isUnversioned)
    expect(states.length).toBeGreaterThan(4)
    for (const state of states) {
      const again = read([file, file], { state }, { isUnversioned, version: '2' })
      await expect(again).rejects.toThrow(SourceChanged)
    }
  })

  test('does not go on when the file is gone', async () => {
    const state = (await readStates(false)).at(-1) as ReadState
    await expect(read([LARGE], { state })).rejects.toThrow(SourceChanged)
  })

  test('goes on in a file of the same size, when the server tells no version', async () => {
    for (const state of await readStates(true)) {
      const { rows } = await read([LARGE, LARGE], { state }, { isUnversioned: true, version: '2' })
      expect(rows.length).toBeLessThan(60_000)
      expect(rows.at(-1)?.[0]).toBe(29_999)
    }
  })
})

describe('a file whose types are settled', () => {
  test('is looked at only at its beginning', async () => {
    const shape = await read([LARGE], { types: TYPES, limit: 1 })
    expect(shape.bytes).toBeLessThan(LARGE.length / 2)
    expect(shape.fields.map(({ type }) => type)).toEqual(Object.values(TYPES))
    const wholeRead = await read([LARGE], { types: TYPES, found: shape.found })
    expect(wholeRead.bytes).toBeLessThan(LARGE.length * 1.1)
    expect(JSON.stringify(wholeRead.rows) === JSON.stringify((await read([LARGE])).rows)).toBe(true)
  })

  test('columns that are not wanted are of no type', async () => {
    const { fields } = await read([LARGE], { types: { id: 'decimal' }, limit: 1 })
    expect(fields.map(({ type }) => type)).toEqual(['decimal', 'text', 'text', 'text'])
  })

  test('turns out to be Windows-1252 far behind', async () => {
    const file = Buffer.concat([
      Buffer.from(LARGE),
      Buffer.from('1,2026-01-02,caf\u00e9,1\n2,2026-01-02,b,2\n', 'latin1'),
    ])
    const { rows, logs, batches } = await read([file], { types: TYPES })
    expect(rows).toHaveLength(30_002)
    expect(rows[30_000]).toEqual([1, '2026-01-02', 'café', '1'])
    expect(logs).toEqual([])
    const state = batches.at(-2)?.state as ReadState
    expect((await read([file], { types: TYPES, state })).rows.at(-1)).toEqual([2, '2026-01-02', 'b', '2'])
  })

  test('stays UTF-8 for one wrong byte far behind', async () => {
    const file = Buffer.concat([
      Buffer.from(`${LARGE}1,2026-01-02,café,1\n2,2026-01-02,naïve,1\n`),
      Buffer.from('3,2026-01-02,caf\u00e9,1\n', 'latin1'),
      Buffer.from('4,2026-01-02,Zürich,2\n'),
    ])
    const { rows, logs } = await read([file], { types: TYPES })
    expect(rows.slice(-3).map((row) => row[2])).toEqual(['café', 'naïve', 'Zürich'])
    expect(logs.join()).toContain('line 30004: The row holds bytes that are not text in UTF-8.')
  })

  test('has days and months in an order that shows far behind', async () => {
    const days = Array.from({ length: 30_000 }, (_, at) => `${at},01/02/2026`)
    const file = `id,day\n${days.join('\n')}\n7,01/13/2026\n`
    const { rows } = await read([file], { types: { id: 'integer', day: 'date' } })
    expect([rows[0], rows.at(-1)]).toEqual([
      [0, '2026-01-02'],
      [7, '2026-01-13'],
    ])
  })

  test('has values far behind that are written in another way, or are wrong', async () => {
    const file = `${LARGE}5,2026-01-02,x,"1,000.5"\nsix,13/01/2026,y,1,2\n7,soon,z,"1,5"\n`
    const { rows, logs } = await read([file], { types: TYPES })
    expect(rows.slice(-2)).toEqual([
      [5, '2026-01-02', 'x', '1000.5'],
      [7, 'soon', 'z', '1,5'],
    ])
    expect(logs.join()).toContain('line 30003: The row has 5 values where 4 are expected.')
  })
})

test('what was found out is not found out again', async () => {
  const first = await read([LARGE], { limit: 1 })
  const again = await read([LARGE], { found: first.found })
  expect(again.bytes).toBeLessThan(LARGE.length * 1.1)
  expect(again.rows).toHaveLength(30_000)
})

test.each([
  ['at another time, when the server tells no version', { file: LARGE, isUnversioned: true, isKept: true }],
  ['at another time, when it is of another size', { file: `${LARGE}8,x,y,9\n`, isUnversioned: true, isKept: false }],
  ['in another version', { file: LARGE, isUnversioned: false, isKept: false }],
])('a forecast is for the file that was looked at, %s', async (_, { file, isUnversioned, isKept }) => {
  const first = await read([LARGE], { limit: 1, allowsProvisional: true })
  const again = await read([file], { found: first.found }, { isUnversioned, version: '2' })
  expect(again.isProvisional).toBe(isKept)
  expect(again.bytes < file.length * 1.5).toBe(isKept)
})
