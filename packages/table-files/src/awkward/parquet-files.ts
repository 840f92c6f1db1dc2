import type { SchemaElement } from 'hyparquet'
import type { AwkwardFile } from './load-cells.ts'
import { type Element, createLeaf, writeColumns, writeInt96 } from './write-columns.ts'

const createParquetFile = (
  name: string,
  element: Element,
  about: { data: unknown[]; type: string; cells: (string | null)[] },
): AwkwardFile => ({
  name,
  content: () => writeColumns({ v: createLeaf(element, about.data) }),
  columns: [`v:${about.type}`],
  rows: about.cells.map((cell) => [cell]),
  isQuiet: true,
})

const LIST: SchemaElement[] = [
  { name: 'v', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', type: 'INT64' },
]
const STRUCT: SchemaElement[] = [
  { name: 'v', repetition_type: 'OPTIONAL', num_children: 3 },
  { name: 'n', repetition_type: 'OPTIONAL', type: 'INT64' },
  { name: 'x', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
  { name: 't', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
]
const createTimeType = (unit: 'MILLIS' | 'MICROS' | 'NANOS') => ({
  logical_type: { type: 'TIME', isAdjustedToUTC: false, unit } as const,
})
const createTimestampType = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC: boolean) =>
  ({ type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit } as const }) as const
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const createDecimalType = (length: number, precision: number, scale: number) =>
  ({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: length, converted_type: 'DECIMAL', precision, scale }) as const
const DIGITS_76 = '1234567890'.repeat(7) + '123456'

/** Written by Arrow with LZ4: the page of an all-null column is empty once unpacked. */
const ARROW_LZ4 = Buffer.from(
  [
    'UEFSMRUEFRAVEkwVBBUAEgAAgAEAAAACAAAAFQAVEhUULBUEFRAVBhUGHAAAAJACAAAABAEBAwIVBBUAFQJMFQAVABIAAAAVABUOFRAsFQQVEB',
    'UGFQYcAAAAcAIAAAAEAAAVBBk8NQAYBnNjaGVtYRUEABUCJQIYAmlkABUMJQIYBG5vdGUlAEwcAAAAFgQZHBksJgAcFQIZNQAGEBkYAmlkFQ4W',
    'BBZkFmgmNiYIKSwVBBUAFQIAFQAVEBUCADwpBhkmAAQAAAAmABwVDBk1AAYQGRgEbm90ZRUOFgQWUBZUJo4BJnApLBUEFQAVAgAVABUQFQIAPB',
    'YAGQYZJgQAAAAAFrQBFgQmCBa8AQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjUuMC4xGSwcAAAcAAAA1gAAAFBBUjE=',
  ].join(''),
  'base64',
)

export const PARQUET_FILES: AwkwardFile[] = [
  {
    name: 'a column of nothing packed with LZ4',
    content: ARROW_LZ4,
    columns: ['id:integer', 'note:text'],
    rows: [
      ['1', null],
      ['2', null],
    ],
  },
  createParquetFile(
    'minus zero as a floating number',
    { type: 'DOUBLE' },
    { data: [-0, 0.5], type: 'float', cells: ['-0', '0.5'] },
  ),
  createParquetFile(
    'days before Christ and beyond the year 9999',
    { type: 'INT32', converted_type: 'DATE' },
    { data: [-735_525, 3_672_378], type: 'date', cells: ['0045-03-15 BC', '12024-08-18'] },
  ),
  createParquetFile(
    'whole numbers',
    { type: 'INT64' },
    { data: [9_007_199_254_740_993n, null, -5n], type: 'integer', cells: ['9007199254740993', null, '-5'] },
  ),
  createParquetFile('short whole numbers', { type: 'INT32' }, { data: [7, null], type: 'integer', cells: ['7', null] }),
  createParquetFile(
    'numbers as text stay text',
    { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    { data: ['007', '5', '1.234', null], type: 'text', cells: ['007', '5', '1.234', null] },
  ),
  createParquetFile(
    'dates as text stay text',
    { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    { data: ['2024-01-01'], type: 'text', cells: ['2024-01-01'] },
  ),
  createParquetFile(
    'words for nothing as text stay text',
    { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    { data: ['NA', 'NULL', ''], type: 'text', cells: ['NA', 'NULL', ''] },
  ),
  createParquetFile(
    'floating numbers',
    { type: 'DOUBLE' },
    { data: [0.1, 1e300, null], type: 'float', cells: ['0.1', '1e+300', null] },
  ),
  createParquetFile(
    'floating numbers of 32 bit',
    { type: 'FLOAT' },
    {
      data: [0.1, 16_777_216, 3.4e38, null].map((n) => (n === null ? n : Math.fround(n))),
      type: 'real',
      cells: ['0.1', '16777216', '3.4e+38', null],
    },
  ),
  createParquetFile(
    'amounts',
    { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 },
    { data: [123_456n, -5n, null], type: 'decimal', cells: ['1234.56', '-0.05', null] },
  ),
  createParquetFile(
    'amounts of three decimals',
    { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 3 },
    { data: [1234n, 2500n], type: 'decimal', cells: ['1.234', '2.500'] },
  ),
  createParquetFile(
    'dates',
    { type: 'INT32', converted_type: 'DATE' },
    { data: [19_813, -1], type: 'date', cells: ['2024-03-31', '1969-12-31'] },
  ),
  createParquetFile(
    'times in milliseconds',
    { type: 'INT32', ...createTimeType('MILLIS') },
    { data: [36_000_000, 1500], type: 'time', cells: ['10:00:00', '00:00:01.500'] },
  ),
  {
    ...createParquetFile(
      'times in UTC',
      { type: 'INT32', logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'MILLIS' } },
      { data: [36_000_000, null], type: 'time', cells: ['10:00:00', null] },
    ),
    isQuiet: false,
    warning: /“v”: The file says that these times are in UTC\. They are loaded without a time zone\./,
  },
  createParquetFile(
    'times in microseconds',
    { type: 'INT64', ...createTimeType('MICROS') },
    { data: [36_000_000_001n], type: 'time', cells: ['10:00:00.000001'] },
  ),
  createParquetFile(
    'times of an older kind',
    { type: 'INT64', converted_type: 'TIME_MICROS' },
    { data: [36_000_000_000n], type: 'time', cells: ['10:00:00'] },
  ),
  createParquetFile('moments', createTimestampType('MICROS', false), {
    data: [1_711_879_200_000_000n],
    type: 'timestamp',
    cells: ['2024-03-31T10:00:00'],
  }),
  createParquetFile('moments with a zone', createTimestampType('MILLIS', true), {
    data: [1_711_879_200_000n],
    type: 'timestamptz',
    cells: ['2024-03-31T10:00:00+00'],
  }),
  createParquetFile(
    'answers',
    { type: 'BOOLEAN' },
    { data: [true, false, null], type: 'boolean', cells: ['true', 'false', null] },
  ),
  createParquetFile(
    'bytes',
    { type: 'BYTE_ARRAY' },
    { data: [fromHex('00ff10'), fromHex('61'), null], type: 'bytea', cells: ['\\x00ff10', '\\x61', null] },
  ),
  createParquetFile(
    'JSON with all its digits',
    { type: 'BYTE_ARRAY', converted_type: 'JSON' },
    { data: [{ n: 1.5 }], type: 'json', cells: ['{"n":1.5}'] },
  ),
  createParquetFile(
    'nothing but nothing',
    { type: 'INT64' },
    { data: [null, null], type: 'integer', cells: [null, null] },
  ),
  createParquetFile('no rows', { type: 'INT32', converted_type: 'DATE' }, { data: [], type: 'date', cells: [] }),
  createParquetFile('amounts in bytes of a fixed length', createDecimalType(16, 38, 2), {
    data: [123_456n, -5n, 10n ** 37n, null],
    type: 'decimal',
    cells: ['1234.56', '-0.05', `1${'0'.repeat(35)}.00`, null],
  }),
  createParquetFile('amounts in five bytes', createDecimalType(5, 9, 3), {
    data: [1_234_567n, -1n],
    type: 'decimal',
    cells: ['1234.567', '-0.001'],
  }),
  createParquetFile('decimals of 76 digits', createDecimalType(32, 76, 10), {
    data: [BigInt(DIGITS_76), -BigInt(DIGITS_76), 0n],
    type: 'decimal',
    cells: [
      `${DIGITS_76.slice(0, 66)}.${DIGITS_76.slice(66)}`,
      `-${DIGITS_76.slice(0, 66)}.${DIGITS_76.slice(66)}`,
      '0.0000000000',
    ],
  }),
  createParquetFile(
    'amounts in bytes of any length',
    { type: 'BYTE_ARRAY', converted_type: 'DECIMAL', precision: 50, scale: 4 },
    {
      data: [-1n, 10n ** 45n + 1n, 128n],
      type: 'decimal',
      cells: ['-0.0001', `1${'0'.repeat(41)}.0001`, '0.0128'],
    },
  ),
  {
    name: 'moments in 96 bits',
    content: () => writeInt96([[36_000_000_000_000n, 2_460_401], null, [1_500_000n, 2_440_588], [0n, 2_415_021]]),
    columns: ['v:timestamp'],
    rows: [['2024-03-31T10:00:00'], [null], ['1970-01-01T00:00:00.001500'], ['1900-01-01T00:00:00']],
    isQuiet: true,
  },
  {
    name: 'moments in 96 bits with nanoseconds',
    content: () => writeInt96([[36_000_123_456_789n, 2_460_401]]),
    columns: ['v:timestamp'],
    rows: [['2024-03-31T10:00:00.123456']],
    warning: /“v”: 2024-03-31 10:00:00\.123456789 is read as 2024-03-31 10:00:00\.123456: PostgreSQL keeps six digits/,
  },
  {
    name: 'moments and times in nanoseconds',
    content: () =>
      writeColumns({
        m: createLeaf(createTimestampType('NANOS', true), [1_711_879_200_000_000_001n, 1_711_879_200_000_001_000n]),
        t: createLeaf({ type: 'INT64', ...createTimeType('NANOS') }, [36_000_000_000_999n, 36_000_000_001_999n]),
      }),
    columns: ['m:timestamptz', 't:time'],
    rows: [
      ['2024-03-31T10:00:00.000000+00', '10:00:00.000000'],
      ['2024-03-31T10:00:00.000001+00', '10:00:00.000001'],
    ],
    warning: /“t”: 10:00:00\.000000999 is read as 10:00:00\.000000, and 1 more in the same way/,
  },
  {
    name: 'lists of numbers',
    content: () => writeColumns({ v: { schema: LIST, data: [[1n, 9_007_199_254_740_993n, null], [], null] } }),
    columns: ['v:json'],
    rows: [['[1,9007199254740993,null]'], ['[]'], [null]],
  },
  {
    name: 'objects with numbers',
    content: () =>
      writeColumns({
        v: {
          schema: STRUCT,
          data: [
            { n: 12n, x: 0.5, t: '7' },
            { n: null, x: 1, t: null },
          ],
        },
      }),
    columns: ['v:json'],
    rows: [['{"n":12,"x":0.5,"t":"7"}'], ['{"n":null,"x":1,"t":null}']],
  },
  {
    name: 'half a file',
    content: async () => (await writeColumns({ v: createLeaf({ type: 'INT64' }, [1n, 2n]) })).subarray(0, 40),
    refused: /damaged or not complete/,
  },
]
