import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { type TestWorkspace, testCluster, testWorkspace } from '@trellis/workspace-db/testing'
import { quoteText } from '@trellis/workspace-db/identifiers'
import { formatLine } from '../copy-lines.ts'
import type { CsvRecords } from '../load.ts'
import { type KeyReader, createKeyReader } from './key-reader.ts'
import { sumTableKeys } from './table-keys.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
})

const inSession = <T>(work: (session: Session) => Promise<T>) => {
  const { database, credentials } = workspace
  return withSession(cluster, { database, credentials, role: 'rw' }, work)
}

function createReader(...types: string[]): KeyReader {
  const columns = types.map((postgres, at) => ({ field: `c${at}`, name: `c${at}`, postgres }))
  const reader = createKeyReader({ columns, proofKey: columns.map(({ name }) => name) })
  if (!reader) throw new Error(`Nothing reads ${types.join(', ')}.`)
  return reader
}

describe('values as the database writes them', () => {
  const WORDS: Record<string, string[]> = {
    bigint: [
      '0',
      '-0',
      '7',
      '-7',
      ' 12 ',
      '+5',
      '007',
      '4294967296',
      '-4294967297',
      '9223372036854775807',
      '-9223372036854775808',
    ],
    smallint: ['32767', '-32768'],
    text: ['', 'a', 'twelve bytes', 'thirteen byte', 'ünïcödé and 🌱', '\\N', ' spaces ', 'a\tb\nc"d'],
    'character varying(9)': ['', 'nine long', 'ünï'],
    uuid: ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{a0eebc999c0b4ef8bb6d6bb9bd380a11}'],
    date: ['2026-03-01', '2026-03-01T23:59:59Z', ' 1999-12-31 '],
    timestamp: ['2026-03-01', '2026-03-01 10:00', '2026-03-01T10:00:00.120+02', '1969-12-31 23:59:59.000001'],
    timestamptz: [
      '2026-03-01T10:00:00Z',
      '2026-03-01 10:00:00+00',
      '2026-03-01T00:30:00.5+02:00',
      '2026-12-31 23:30:00-0130',
      '2026-03-01 10:00',
      '0001-01-01 00:00:00+00',
    ],
    numeric: ['1', '1.50', '-0.00', '.5', '5.', '+07.10', '123456789012345678901234567890.123'],
    boolean: ['t', 'f', 'TRUE', 'no', 'of', '1', ' yes '],
  }
  test.each(Object.entries(WORDS))('%s', async (type, words) => {
    const reader = createReader(type)
    for (const word of words) {
      const result = await workspace.run(
        'ro',
        `select ${reader.buildSqlHash('t.')} from (select ${quoteText(word)}::${type} as c0) t`,
      )
      expect([word, reader.sumCells([{ c0: word }])]).toEqual([
        word,
        { hash: BigInt(result.rows[0]?.[0] ?? 0), rows: 1, unknown: 0 },
      ])
    }
  })

  test('what may be written in a way that is not known is told, and taken out again by the same words', () => {
    const reader = createReader('bigint', 'date')
    const odd = [
      { c0: '0x1f', c1: '2026-01-01' },
      { c0: '1', c1: '31.12.2026' },
    ]
    expect(reader.sumCells(odd)).toEqual({ hash: 0n, rows: 2, unknown: 2 })
    for (const [type, word] of [
      ['timestamptz', 'infinity'],
      ['timestamptz', '2026-01-01 10:00:00.1234567Z'],
      ['numeric', '1e3'],
      ['character varying(3)', 'four'],
      ['boolean', 'maybe'],
    ] as const) {
      expect([word, createReader(type).sumCells([{ c0: word }]).unknown]).toEqual([word, 1])
    }
  })

  test('a row without a whole key counts for nothing', () => {
    expect(
      createReader('bigint', 'text').sumCells([
        { c0: '1', c1: null },
        { c0: null, c1: 'a' },
      ]),
    ).toEqual({
      hash: 0n,
      rows: 2,
      unknown: 0,
    })
  })

  test('types that round or have more ways to be written are not compared', () => {
    for (const postgres of [
      'double precision',
      'numeric(10,2)',
      'timestamp(3) without time zone',
      'bytea',
      'character(5)',
      'interval',
    ]) {
      expect(createKeyReader({ columns: [{ field: 'a', name: 'a', postgres }], proofKey: ['a'] })).toBeUndefined()
    }
    expect(
      createKeyReader({ columns: [{ field: 'a', name: 'a', postgres: 'text' }], proofKey: ['a', 'b'] }),
    ).toBeUndefined()
    expect(createKeyReader({ columns: [{ field: 'a', name: 'a', postgres: 'text' }], proofKey: [] })).toBeUndefined()
  })
})

const columns = [
  { field: 'note', name: 'note', postgres: 'text' },
  { field: 'word', name: 'word', postgres: 'text' },
  { field: 'more', name: 'more', postgres: 'text' },
  { field: 'id', name: 'id', postgres: 'bigint' },
]
const cell = fc.option(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', '\t', '\\', ' ', 'N', '🌱'), maxLength: 20 }),
    fc.constantFrom('', '\\N', '"', '""', 'NULL'),
  ),
  { nil: null, freq: 8 },
)
const row = fc.tuple(
  cell,
  cell,
  cell,
  fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), { nil: null, freq: 8 }),
)

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

describe('what is copied has the keys that were read', () => {
  const reader = createKeyReader({ columns, proofKey: ['id', 'word'] }) as KeyReader
  const copied = (session: Session, options: string, bytes: Uint8Array) =>
    session.copyIn({
      text: `copy data.copied from stdin with (${options})`,
      chunks: inOne(bytes),
    })
  const compare = async (options: string, cases: [Uint8Array, ReturnType<KeyReader['sumLines']>][]) =>
    await inSession(async (session) => {
      await session.query({
        text: 'create table if not exists data.copied (note text, word text, more text, id bigint)',
      })
      for (const [bytes, read] of cases) {
        await session.query({ text: 'truncate data.copied' })
        await copied(session, options, bytes)
        expect(await sumTableKeys(session, { table: 'data.copied', reader })).toEqual(read)
      }
    })

  test('as lines', async () => {
    const samples = fc.sample(fc.array(row, { maxLength: 12 }), 120)
    const cases = samples.map((rows) => {
      const bytes = Buffer.from(rows.map((other) => `${formatLine(other)}\n`).join(''))
      return [bytes, reader.sumLines(bytes)] as [Uint8Array, ReturnType<KeyReader['sumLines']>]
    })
    await compare("format text, encoding 'UTF8'", cases)
    expect(samples.flat().length).toBeGreaterThan(100)
  })

  test('as lines that begin with a number', async () => {
    const first = createKeyReader({ columns: columns.toReversed(), proofKey: ['id'] }) as KeyReader
    const number = fc.oneof(
      fc.integer({ min: 0, max: 2_000_000_000 }),
      fc.constantFrom('-1', '+2', ' 3', '004', '1234567890123', null),
    )
    const bytes = Buffer.from(
      fc
        .sample(fc.tuple(number, cell), 600)
        .map(([id, word]) => `${formatLine([id === null ? null : String(id), 'a', word, word])}\n`)
        .join(''),
    )
    await inSession(async (session) => {
      await session.query({ text: 'create table data.numbered (id bigint, more text, word text, note text)' })
      const text = "copy data.numbered from stdin with (format text, encoding 'UTF8')"
      await session.copyIn({ text, chunks: inOne(bytes) })
      expect(await sumTableKeys(session, { table: 'data.numbered', reader: first })).toEqual(first.sumLines(bytes))
    })
  })

  test.each(['\n', '\r\n', '\r'] as const)('as records that end with %j', async (eol) => {
    const quoted = (value: string | null, isAlways: boolean) => {
      if (value === null) return ''
      return isAlways || value === '' || /["\n\r,]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
    }
    const csv: CsvRecords = {
      delimiter: ',',
      quote: '"',
      eol,
      dateOrder: 'ymd',
      columns: columns.map(({ name }) => name),
      emptyIsNull: ['id'],
      toLines: () => ({ parts: [], counts: [], rows: 0 }),
    }
    const samples = fc.sample(fc.array(fc.tuple(row, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 12 }), 120)
    const cases = samples.map((rows, at) => {
      const lines = rows.map(([[note, word, more, id], isAlways, isEmpty]) =>
        [quoted(note, isAlways), quoted(word, isAlways), quoted(more, isAlways), id ?? (isEmpty ? '""' : '')].join(','),
      )
      const bytes = Buffer.from(lines.join(eol) + (at % 2 === 0 ? eol : ''))
      return [bytes, reader.sumRecords(bytes, csv)] as [Uint8Array, ReturnType<KeyReader['sumLines']>]
    })
    await compare("format csv, null '', force_null (id), encoding 'UTF8'", cases)
  })
})
