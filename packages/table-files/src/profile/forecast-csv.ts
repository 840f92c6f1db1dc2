import { isUtf8Head, markedEncoding } from '../detect/encoding.ts'
import { assertText } from '../detect/not-a-table.ts'
import { rankSeparators } from '../detect/separators.ts'
import { FileFault, readHead } from '../read/byte-source.ts'
import type { RecordWatch } from '../read/csv-blocks.ts'
import { skipLines } from '../read/csv-rows.ts'
import { toUtf8 } from '../read/encoding.ts'
import { createRecordScanner } from '../read/record-scanner.ts'
import { swapDelimiter, toSeparators } from '../read/separators.ts'
import { buildProfile } from './build-profile.ts'
import { type FileProfile, HEAD_BYTES, type InspectedFile } from './file-profile.ts'
import { isGoodReading, once, prepareReading } from './profile-csv.ts'
import type { CsvTally } from './tally-file.ts'

/** A profile of the beginning that is verified while the rows are read. */
export interface Forecast {
  readonly profile: FileProfile
  follow(): ForecastCheck
}

interface ForecastCheck extends RecordWatch {
  isBorneOut(): boolean
  settle(): FileProfile | undefined
}

export async function forecastCsv(knownInspectedFile: InspectedFile): Promise<Forecast | undefined> {
  const { given, head } = knownInspectedFile
  const encoding = given.encoding ?? markedEncoding(head) ?? (isUtf8Head(head) ? 'utf-8' : undefined)
  if (encoding === undefined) return undefined
  try {
    const text = await readHead(toUtf8(once(head), encoding, { isCut: true }), HEAD_BYTES * 4)
    assertText(text)
    const rankedCandidates = rankSeparators(text, given)
    const [candidate] = rankedCandidates
    if (!candidate) return undefined
    const utf8 = () => swapDelimiter(once(text), candidate.signs.delimiter)
    const prepared = await prepareReading(candidate, utf8, { ...knownInspectedFile, encoding, isCut: true })
    if (!prepared) return undefined
    const { dialect, start } = prepared
    const found = { encoding, fitting: 0, broken: 0, second: undefined }
    const settle = (tally: CsvTally): FileProfile | undefined => {
      const tallied = tally.settle()
      if (tallied.foreignRows > 0 || !isGoodReading({ tallied })) return undefined
      const others = { ranked: rankedCandidates, second: undefined, failed: undefined, encoding: found }
      return buildProfile({ dialect, start, candidate, tallied, known: knownInspectedFile, isCut: false, ...others })
    }
    const beginning = prepared.createTally()
    const scanner = createRecordScanner(toSeparators(dialect), beginning.take)
    for await (const chunk of skipLines(utf8(), dialect.skip_lines)) scanner.push(chunk)
    const profile = settle(beginning)
    return profile && { profile, follow: () => followForecast(profile, prepared.createTally(), settle) }
  } catch (error) {
    if (error instanceof FileFault) return undefined
    throw error
  }
}

function followForecast(
  profile: FileProfile,
  tally: CsvTally,
  settle: (tally: CsvTally) => FileProfile | undefined,
): ForecastCheck {
  const expected = toReading(profile)
  let digest = ''
  return {
    look: tally.look,
    take: tally.take,
    isBorneOut() {
      const now = tally.digest()
      if (now === digest) return true
      const fileProfile = settle(tally)
      if (!fileProfile || toReading(fileProfile) !== expected) return false
      digest = now
      return true
    },
    settle: () => settle(tally),
  }
}

/** Everything that affects how values are converted. */
const toReading = ({ dialect, packing, eol, has_tokens, columns }: FileProfile): string =>
  JSON.stringify([
    dialect,
    packing,
    eol,
    has_tokens,
    columns.map(({ header, fitting_types, is_grouped, decimal_comma, null_tokens }) => [
      header,
      fitting_types[0],
      is_grouped,
      decimal_comma,
      null_tokens,
    ]),
  ])
