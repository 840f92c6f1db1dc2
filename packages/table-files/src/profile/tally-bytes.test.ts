import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bufferSource } from '../read/byte-source.ts'
import type { FileDialect } from '../read/dialect.ts'
import type { FileProfile } from './file-profile.ts'
import { profileFile } from './profile-file.ts'

const twoDigits = fc.integer({ min: 0, max: 62 }).map((number) => String(number).padStart(2, '0'))
const day = fc.tuple(fc.integer({ min: 1998, max: 2027 }), twoDigits, twoDigits).map((parts) => parts.join('-'))
const moment = fc
  .tuple(
    day,
    fc.constantFrom('T', ' '),
    fc.tuple(twoDigits, twoDigits, twoDigits),
    fc.constantFrom('', '.1', '.123', '.123456', '.1234567', '.'),
    fc.constantFrom('', 'Z', '+00', '-07:30', '+0530', ' Z'),
  )
  .map(([date, sign, clock, fraction, zone]) => `${date}${sign}${clock.join(':')}${fraction}${zone}`)
const digits = (max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength: max })
const fraction = fc
  .tuple(fc.constantFrom('', '', '-'), digits(4), fc.oneof(digits(2), digits(3), digits(17)))
  .map(([sign, whole, decimals]) => `${sign}${whole}.${decimals}`)
const date = fc.date({ min: new Date('1999-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
const uuid = fc.uuid().chain((id) => fc.constantFrom(id, id, id.toUpperCase()))

const KINDS: readonly fc.Arbitrary<string>[] = [
  fc.integer({ min: -9, max: 99_999 }).map(String),
  digits(19),
  fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }).map(String),
  fraction,
  fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer({ min: 1000, max: 999_999 }).map((grams) => (grams / 1000).toFixed(3)),
  fc.constantFrom('true', 'false'),
  fc.constantFrom('t', 'f', '1', '0', 'Y'),
  date.map((value) => value.toISOString()),
  date.map((value) => value.toISOString().slice(0, 10)),
  day,
  moment,
  uuid,
  fc.string({ unit: fc.constantFrom(...'abcXYZ 019-=.'.split('')), minLength: 1, maxLength: 12 }),
]
const oddValue = fc.oneof(
  ...KINDS,
  fc.constantFrom('', 'N/A', 'NULL', '-', '--', '(null)', '0000-00-00', '007', '-0', '-0.00', '1,5', '1.234', 'NaN'),
  fc.constantFrom('1e5', '1.5E+3', ' 7', '"', 'a"b', '="007"', '+5', '12.50-', '{}', '2024-02-30', '2023-02-29'),
)

/** More rows than the sample, which is always counted as text. */
const ROWS = 160
const table = fc
  .array(fc.constantFrom(...KINDS), { minLength: 2, maxLength: 4 })
  .chain((columns) =>
    fc.tuple(
      fc.array(fc.tuple(...columns), { minLength: ROWS, maxLength: ROWS }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), oddValue), { maxLength: 6 }),
    ),
  )
  .map(([rows, odd]) => {
    const cells = rows.map((row) => [...row])
    for (const [row, column, value] of odd) {
      const found = cells[row % ROWS] as string[]
      found[column % found.length] = value
    }
    return cells
  })

const toQuoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const toPlain = (cell: string) => (/[",=]/.test(cell) ? toQuoted(cell) : cell)

function writeCsv(rows: readonly (readonly string[])[], toCell: (cell: string) => string): Buffer {
  const header = (rows[0] ?? []).map((_, at) => `c${at}`)
  return Buffer.from([header, ...rows].map((row) => `${row.map(toCell).join(',')}\n`).join(''))
}

const SIGNS = { delimiter: ',', quote: '"', has_header: true, skip_lines: 0 } as const

async function profile(bytes: Buffer, given: Partial<FileDialect>): Promise<FileProfile> {
  return await profileFile(bufferSource(bytes, 1024), { given: { ...SIGNS, ...given } })
}

const withoutTokens = ({ columns }: FileProfile) => columns.map(({ null_tokens: _, ...column }) => column)

test('values counted by their bytes give the profile that their texts give', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(toPlain, toQuoted), async (rows, toCell) => {
      const bytes = writeCsv(rows, toCell)
      const byBytes = await profile(bytes, { null_tokens: [''] })
      // A word for NULL that could be anywhere is looked for in texts.
      const byTexts = await profile(bytes, { null_tokens: ['', 'no such value'] })
      expect(withoutTokens(byBytes)).toEqual(withoutTokens(byTexts))
      expect(byBytes.warnings).toEqual(byTexts.warnings)
    }),
    { numRuns: 150 },
  )
})

test('quotes around values change no type', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const [plain, quoted] = [await profile(writeCsv(rows, toPlain), {}), await profile(writeCsv(rows, toQuoted), {})]
      expect(quoted.columns).toEqual(plain.columns)
    }),
    { numRuns: 150 },
  )
})

test('a word for NULL that looks like a value is found behind the sample too', async () => {
  const rows = Array.from({ length: ROWS }, (_, at) => [at === 150 ? '9999' : String(at), 'x'])
  const { columns } = await profile(writeCsv(rows, toPlain), { null_tokens: ['', '9999'], null_words_in_text: false })
  expect(columns[0]).toMatchObject({ empty_values: 1, null_tokens: ['', '9999'] })
})
