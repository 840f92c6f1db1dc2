import type { SchemaElement } from 'hyparquet'
import { type Element, writeColumns } from '../write-columns.ts'
import { NASTY, type Random, WORDS, createRandom, pad } from './random-values.ts'
import type { TypedCell, TypedFile } from './typed-cells.ts'

interface Column {
  readonly schema: readonly SchemaElement[]
  make(): { readonly value: unknown; readonly meant: TypedCell }
}

const DAY_MS = 86_400_000
const createLeaf = (element: Element): SchemaElement[] => [{ name: 'v', repetition_type: 'OPTIONAL', ...element }]
const createNumber = (value: unknown, text: string) => ({ value, meant: { kind: 'number', text } as const })
const createTimestamp = (value: unknown, text: string) => ({ value, meant: { kind: 'moment', text } as const })
const createText = (value: string) => ({ value, meant: { kind: 'text', text: value } as const })
const STRING: Element = { type: 'BYTE_ARRAY', converted_type: 'UTF8' }

function decimalColumn(random: Random): Column {
  const scale = random.whole(0, 6)
  return {
    schema: createLeaf({ type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale }),
    make() {
      const value = BigInt(random.whole(-1_000_000_000, 1_000_000_000))
      const plain = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
      const [whole, part] = [plain.slice(0, plain.length - scale), plain.slice(plain.length - scale)]
      return createNumber(value, `${value < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${part}`}`)
    },
  }
}

const TEXTS: readonly ((random: Random) => string)[] = [
  (random) => random.pick(WORDS),
  (random) => random.pick(NASTY),
  (random) => `0${random.whole(0, 9999)}`,
  (random) => String(random.whole(0, 9999)),
  (random) => `2024-01-${pad(random.whole(1, 28))}`,
]

function textColumn(random: Random): Column {
  const make = random.pick(TEXTS)
  return { schema: createLeaf(STRING), make: () => createText(make(random)) }
}

function clockColumn(random: Random): Column {
  return {
    schema: createLeaf({ type: 'INT32', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MILLIS' } }),
    make() {
      const millis = random.whole(0, DAY_MS - 1)
      return createTimestamp(millis, new Date(millis).toISOString().slice(11, 23))
    },
  }
}

function momentColumn(random: Random): Column {
  const isZoned = random.chance(0.5)
  return {
    schema: createLeaf({
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: isZoned, unit: 'MICROS' },
    }),
    make() {
      const millis = random.whole(-1000, 2_000_000) * 1_000_003
      return createTimestamp(BigInt(millis) * 1000n, new Date(millis).toISOString().replace('Z', isZoned ? '+00' : ''))
    },
  }
}

const COLUMNS: readonly ((random: Random) => Column)[] = [
  textColumn,
  textColumn,
  decimalColumn,
  clockColumn,
  momentColumn,
  (random) => ({
    schema: createLeaf({ type: 'INT64' }),
    make() {
      const value = BigInt(random.whole(-9_000_000, 9_000_000)) * 1_000_000_007n
      return createNumber(value, String(value))
    },
  }),
  (random) => ({
    schema: createLeaf({ type: 'INT32' }),
    make() {
      const value = random.whole(-2_147_483_648, 2_147_483_647)
      return createNumber(value, String(value))
    },
  }),
  (random) => ({
    schema: createLeaf({ type: 'DOUBLE' }),
    make() {
      const value = random.whole(-999_999, 999_999) * 10 ** random.whole(-12, 12)
      return createNumber(value, String(value))
    },
  }),
  (random) => ({
    schema: createLeaf({ type: 'INT32', converted_type: 'DATE' }),
    make() {
      const days = random.whole(-20_000, 30_000)
      return createTimestamp(days, new Date(days * DAY_MS).toISOString().slice(0, 10))
    },
  }),
  (random) => ({
    schema: createLeaf({ type: 'BOOLEAN' }),
    make() {
      const is = random.chance(0.5)
      return { value: is, meant: { kind: 'boolean', text: String(is) } }
    },
  }),
  (random) => ({
    schema: createLeaf({ type: 'BYTE_ARRAY' }),
    make() {
      const bytes = Buffer.from(Array.from({ length: random.whole(1, 20) }, () => random.whole(0, 255)))
      return { value: new Uint8Array(bytes), meant: { kind: 'bytes', text: `\\x${bytes.toString('hex')}` } }
    },
  }),
  (random) => ({
    schema: [
      { name: 'v', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', ...STRING },
    ],
    make() {
      const value = Array.from({ length: random.whole(0, 4) }, () => (random.chance(0.2) ? null : random.pick(NASTY)))
      return { value, meant: { kind: 'json', text: JSON.stringify(value) } }
    },
  }),
]

export async function createParquet(seed: number): Promise<TypedFile> {
  const random = createRandom(seed)
  const width = random.pick([1, 2, 3, 5, 8])
  const columns = Array.from({ length: width }, () => random.pick(COLUMNS)(random))
  const headers = columns.map((_, at) => random.pick([`col_${at}`, `Größe ${at}`, `a.b ${at}`]))
  const height = random.pick([1, 2, 3, 20, 60])
  const cells = columns.map((column) => {
    const gaps = random.chance(0.4) ? 0.2 : 0
    return Array.from({ length: height }, () => (random.chance(gaps) ? undefined : column.make()))
  })
  const written = headers.map((name, at) => [
    name,
    { schema: columns[at]?.schema ?? [], data: cells[at]?.map((cell) => cell?.value ?? null) ?? [] },
  ])
  return {
    bytes: await writeColumns(Object.fromEntries(written) as Parameters<typeof writeColumns>[0]),
    fileName: 'file.parquet',
    about: JSON.stringify({ seed, width }),
    headers,
    hasHeader: true,
    rows: Array.from({ length: height }, (_, line) => cells.map((column) => column[line]?.meant ?? null)),
  }
}
