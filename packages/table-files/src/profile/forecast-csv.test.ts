import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bufferSource } from '../read/byte-source.ts'
import { readCsvBlocks } from '../read/csv-blocks.ts'
import { toUtf8 } from '../read/encoding.ts'
import { unpack } from '../read/unpack.ts'
import type { FileProfile } from './file-profile.ts'
import { forecastFile, profileFile } from './profile-file.ts'
import { ForecastRefuted, readByForecast } from './read-by-forecast.ts'

const HEAD = 400
const CHUNK = 97

/** Undefined if the beginning is ambiguous. */
async function follow(file: Buffer) {
  const source = bufferSource(file, CHUNK)
  const forecast = await forecastFile(source, { headBytes: HEAD })
  if (!forecast) return undefined
  const { profile } = forecast
  const { dialect, packing, columns, eol } = profile
  const options = { dialect, columns: columns.length, eol, hasGaps: true }
  const blocks = readByForecast(forecast, {
    onFault: () => undefined,
    read: (checks) => readCsvBlocks(toUtf8(unpack(source, packing), dialect.encoding), { ...options, ...checks }),
  })
  try {
    for (;;) {
      const { done, value } = await blocks.next()
      if (done) return { profile, isBorneOut: true, settled: value }
    }
  } catch (error) {
    if (!(error instanceof ForecastRefuted)) throw error
    return { profile, isBorneOut: false, settled: error.profile }
  }
}

const toLoaded = ({ dialect, eol, has_tokens, columns }: FileProfile) => ({
  dialect,
  eol,
  has_tokens,
  columns: columns.map(({ header, fitting_types, is_grouped, decimal_comma, null_tokens }) => {
    const [type] = fitting_types
    return { header, type, is_grouped, decimal_comma, null_tokens }
  }),
})

const usual = [
  fc.integer({ min: 0, max: 99_999 }).map(String),
  fc.integer({ min: 100, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.constantFrom('true', 'false'),
  fc.integer({ min: 10, max: 28 }).map((day) => `2024-05-${day}`),
  fc.constantFrom('Berlin', 'Oslo', 'São Paulo', '"a, ""b"""', '"two\nlines"'),
]
const oddValue = fc.constantFrom(
  ...['', 'N/A', 'NULL', String.raw`\N`, '007', '"1,5"', '"1,234.5"', '31/12/2024', '2024-05-01T10:00:00Z', 'x', '1e5'],
)
const oddLine = fc.constantFrom('1', '1,2,3,4,5,6,7,8,9', '"open', '#note', '', 'a"b,1')
const mostlyNone = (arbitrary: fc.Arbitrary<string>, maxLength: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 2, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength }) },
  )

/** Mostly uniform rows with odd values and lines anywhere. */
const file = fc
  .array(fc.constantFrom(...usual), { minLength: 2, maxLength: 5 })
  .chain((columns) =>
    fc.tuple(
      fc.array(fc.tuple(...columns), { minLength: 60, maxLength: 140 }),
      mostlyNone(oddValue, 4),
      mostlyNone(oddLine, 2),
      fc.nat(),
      fc.constantFrom('\n', '\r\n'),
    ),
  )
  .map(([rows, oddValues, oddLines, seed, eol]) => {
    const cells = rows.map((row) => [...row])
    for (const [at, value] of oddValues.entries()) {
      const row = cells[(seed + at * 31) % cells.length] as string[]
      row[(seed + at) % row.length] = value
    }
    const lines = cells.map((row) => row.join(','))
    for (const [at, line] of oddLines.entries()) lines.splice((seed + at * 7) % lines.length, 0, line)
    const header = (cells[0] as string[]).map((_, at) => `c${at}`).join(',')
    return Buffer.from([header, ...lines, ''].join(eol))
  })

test('a forecast that is borne out is the profile of the whole file; one that is not tells that profile or nothing', async () => {
  const seen = { borneOut: 0, refuted: 0 }
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      const followed = await follow(bytes)
      if (!followed) return
      const { profile, isBorneOut, settled } = followed
      seen[isBorneOut ? 'borneOut' : 'refuted'] += 1
      if (!settled) {
        expect(isBorneOut).toBe(false)
        return
      }
      const wholeFileProfile = await profileFile(bufferSource(bytes, CHUNK), { headBytes: HEAD })
      expect(settled).toEqual(wholeFileProfile)
      expect(isBorneOut).toBe(JSON.stringify(toLoaded(profile)) === JSON.stringify(toLoaded(wholeFileProfile)))
    }),
    { numRuns: 600 },
  )
  expect(seen.borneOut).toBeGreaterThan(50)
  expect(seen.refuted).toBeGreaterThan(50)
})

const ROWS = Array.from({ length: 200 }, (_, at) => `${at},2024-05-${10 + (at % 18)},name ${at}`)
const withLast = (row: string | Buffer) =>
  Buffer.concat([Buffer.from(`id,day,name\n${ROWS.join('\n')}\n`), Buffer.from(row), Buffer.from('\n')])

test.each<[string, string | Buffer]>([
  ['a fraction among integers', '1.5,2024-05-01,a'],
  ['a moment among dates', '1,2024-05-01 10:00:00,a'],
  ['a word among numbers', 'x,2024-05-01,a'],
  ['a word for nothing', 'N/A,2024-05-01,a'],
  ['a row that is too short', '1,2024-05-01'],
  ['a quote that is not closed', '1,2024-05-01,"a'],
  ['bytes of another encoding', Buffer.from('1,2024-05-01,caf\u00e9', 'latin1')],
])('%s in the last line refutes it', async (_, row) => {
  expect((await follow(withLast(row)))?.isBorneOut).toBe(false)
})

test.each([
  ['a row like all others', '1,2024-05-01,a'],
  ['a row with too many values, which is rejected', '1,2024-05-01,a,b'],
  ['values that are missing', ',,'],
])('%s does not', async (_, row) => {
  expect((await follow(withLast(row)))?.isBorneOut).toBe(true)
})
