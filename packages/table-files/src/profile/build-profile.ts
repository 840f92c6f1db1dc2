import type { FileDialect } from '../read/dialect.ts'
import type { TypeName } from '../values/type-names.ts'
import {
  type ColumnProfile,
  type ColumnTally,
  findComma,
  findDateOrder,
  isTwoNumbers,
  toColumnProfile,
} from './column-profile.ts'
import type { CsvReading } from './csv-reading.ts'
import type { FileProfile } from './file-profile.ts'
import { explainCsv, listSeconds, warnCsv } from './explain-csv.ts'
import type { FileTally } from './tally-file.ts'
import { warnColumns } from './warn-columns.ts'
import { warnTotal } from './warn-total.ts'

export function buildProfile(reading: CsvReading): FileProfile {
  const { tallied, known, dialect } = reading
  const settled = decideColumns(trimColumns(tallied), { dialect, given: known.given })
  const filled = tallied.short.rows > 0 ? { fill_short_rows: tallied.isShortFilled } : {}
  return {
    dialect: { ...settled.dialect, ...filled },
    packing: known.packing,
    columns: settled.columns,
    rows: tallied.rows,
    sample: tallied.sample.map((row) => row.slice(0, settled.columns.length)),
    sheets: [],
    warnings: [...warnCsv(reading), ...settled.warnings, ...(reading.isCut ? [] : warnTotal(tallied))],
    reasons: [...explainCsv(reading), ...settled.reasons],
    second_readings: [...listSeconds(reading), ...settled.seconds],
    eol: tallied.eol,
    has_tokens: tallied.hasTokens,
    is_encoding_sure: !reading.isCut,
  }
}

/** Trailing delimiters create unnamed, empty columns. */
function trimColumns(tallied: FileTally): FileTally {
  let width = tallied.headers.length
  const isUnused = (at: number) => tallied.headers[at]?.trim() === '' && tallied.tallies[at]?.values === 0
  while (width > 1 && isUnused(width - 1)) width -= 1
  return { ...tallied, headers: tallied.headers.slice(0, width), tallies: tallied.tallies.slice(0, width) }
}

interface ColumnTypeOptions {
  readonly dialect: FileDialect
  readonly given: Partial<FileDialect>
  readonly types?: readonly (TypeName | undefined)[]
}

export function decideColumns(
  { headers, tallies }: Pick<FileTally, 'headers' | 'tallies'>,
  settling: ColumnTypeOptions,
) {
  const { dialect, given, types } = settling
  const dates = findDateOrder(tallies)
  const order = given.date_order ?? dates?.order ?? 'ymd'
  const commas = tallies.map(findComma)
  const fileComma = given.decimal_comma ?? isCommaFile(tallies, commas, dialect)
  const isComma = (at: number) => types?.[at] === undefined && (given.decimal_comma ?? commas[at] ?? fileComma)
  const columns = tallies.map((tally, at): ColumnProfile => {
    const profile = toColumnProfile(headers[at] ?? '', tally, { order, isCommaDecimal: isComma(at) })
    const type = types?.[at]
    const words = [...tally.words.keys()]
    const tokens =
      dialect.null_words_in_text === false
        ? { null_tokens: [...new Set(['', ...words])] }
        : { null_tokens: [...dialect.null_tokens] }
    return type === undefined
      ? { ...profile, ...tokens }
      : {
          ...profile,
          ...tokens,
          likely_type: type,
          fitting_types: [...new Set<TypeName>([type, ...profile.fitting_types])],
        }
  })
  const found = new Set(['', ...dialect.null_tokens, ...tallies.flatMap(({ words }) => [...words.keys()])])
  const about = warnColumns({
    tallies: tallies.filter((_, at) => types?.[at] === undefined),
    columns: columns.filter((_, at) => types?.[at] === undefined),
    dates,
    given,
  })
  return {
    dialect: { ...dialect, date_order: order, decimal_comma: fileComma, null_tokens: [...found].slice(0, 20) },
    columns,
    ...about,
  }
}

function isCommaFile(
  tallies: readonly ColumnTally[],
  commas: readonly (boolean | undefined)[],
  dialect: FileDialect,
): boolean {
  const withComma = commas.filter((found) => found === true).length
  const withPoint = commas.filter((found) => found === false).length
  if (withComma !== withPoint) return withComma > withPoint
  // Semicolon-separated files usually have decimal commas.
  const isOpen = withComma > 0 || tallies.some(isTwoNumbers)
  return isOpen && dialect.format === 'csv' && dialect.delimiter === ';'
}
