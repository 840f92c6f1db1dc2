import { NOTHING } from '../read/csv-rows.ts'
import type { FileDialect } from '../read/dialect.ts'
import type { CsvReading } from './csv-reading.ts'
import type { SecondReading } from './file-profile.ts'
import type { RowCount, FileTally } from './tally-file.ts'
import { warnTitle } from './warn-title.ts'

const NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
  ':': 'colon',
  ' ': 'space',
}
const ENCODING_NAMES: Readonly<Record<FileDialect['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little endian',
  'utf-16be': 'UTF-16, big endian',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  'windows-1257': 'Windows-1257 (Baltic)',
  'windows-874': 'Windows-874 (Thai)',
  'iso-8859-2': 'ISO 8859-2 (Central European)',
  'koi8-r': 'KOI8-R (Cyrillic)',
  ibm866: 'DOS Cyrillic (CP 866)',
  ibm850: 'DOS Western (CP 850)',
  macintosh: 'Mac Roman',
  shift_jis: 'Shift JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
}
const signName = (sign: string) => NAMES[sign] ?? (/[!-~]/.test(sign) ? sign : `character ${sign.charCodeAt(0)}`)
const formatCount = (count: number) => count.toLocaleString('en')

/** A second reading is offered if its score is this close. */
const NEAR_SCORE = 0.2

export function explainCsv({ dialect, start, tallied, encoding, known }: CsvReading): string[] {
  const { given } = known
  const reasons: string[] = []
  const columns = tallied.headers.length
  const fitting = tallied.rows - tallied.broken.rows - (tallied.isShortFilled ? tallied.short.rows : 0)
  if (given.delimiter === undefined && columns > 1) {
    reasons.push(
      `Delimiter ${signName(dialect.delimiter)}: ${formatCount(fitting)} of ${formatCount(tallied.rows)} rows have ${columns} values.`,
    )
  }
  if (given.encoding === undefined && encoding.broken > 0) {
    const name = ENCODING_NAMES[dialect.encoding]
    reasons.push(
      dialect.encoding === 'utf-8'
        ? `Encoding ${name}: ${formatCount(encoding.fitting)} lines with special characters fit, ${formatCount(encoding.broken)} do not.`
        : `Encoding ${name}: ${formatCount(encoding.broken)} lines are not UTF-8.`,
    )
  }
  if (given.skip_lines === undefined && dialect.skip_lines > 0) {
    const [title] = start.titles
    const lines = dialect.skip_lines === 1 ? 'The first line is' : `The first ${dialect.skip_lines} lines are`
    reasons.push(
      `${lines} skipped: the table begins in line ${dialect.skip_lines + 1}${title ? ` (above it: ${title.slice(0, 60)})` : ''}.`,
    )
  }
  if (given.has_header === undefined) {
    reasons.push(
      dialect.has_header
        ? start.isUnsure
          ? 'The first row is taken for the header; nothing in the rows speaks against it.'
          : 'The first row is the header: its values are of another kind than those below.'
        : 'The first row is data: its values are of the same kind as those below.',
    )
  }
  if (dialect.comment === '#') reasons.push('Lines that begin with # are comments.')
  if (dialect.comment === '-') reasons.push('Lines made of dashes are no rows; spaces around values are padding.')
  return reasons
}

export function warnCsv(reading: CsvReading): string[] {
  const { tallied, dialect, encoding, known, start } = reading
  const { given } = known
  const { broken, short, torn, isShortFilled } = tallied
  const warnings = warnQuotes(reading)
  if (isShortFilled) {
    warnings.push(
      `${rowsHave(short)} fewer values than the header, the first in line ${short.line}: ${short.raw} The missing values are NULL.`,
    )
  }
  if (broken.rows > 0) warnings.push(describeBrokenRows(tallied, ENCODING_NAMES[dialect.encoding]))
  if (torn.rows > 0) {
    warnings.push(
      `${rowsHave(torn)} text behind a closing quote, the first in line ${torn.line}: ${torn.raw} It is read without the quotes.`,
    )
  }
  if (dialect.encoding !== 'utf-8' && encoding.broken > 0 && given.encoding === undefined) {
    const name = ENCODING_NAMES[dialect.encoding]
    warnings.push(`The text is not UTF-8; it is read as ${name}. If letters look wrong, choose another encoding.`)
  }
  const isDump = tallied.tallies.some(({ words }) => words.has(NOTHING))
  if (isDump && tallied.escaped !== undefined && !dialect.escape) {
    warnings.push(
      `Databases write tabs, line ends and backslashes inside values as \\t, \\n and \\\\. They are loaded as they are written, as in ${tallied.escaped} Export as CSV with quotes to have the signs themselves.`,
    )
  }
  warnings.push(...warnTitle(dialect, start, given))
  return warnings
}

function describeBrokenRows({ broken, foreignRows }: FileTally, encoding: string): string {
  const isOne = broken.rows === 1
  const rows = isOne ? 'One row' : `${formatCount(broken.rows)} rows`
  const place = isOne ? ` (line ${broken.line})` : `, the first in line ${broken.line}`
  if (foreignRows === broken.rows) return `${rows} can not be read as ${encoding}${place}.`
  const reason = foreignRows > 0 ? ` or can not be read as ${encoding}` : ''
  return `${rows} ${isOne ? 'does' : 'do'} not fit the header${reason}${place}.`
}

function warnQuotes({ failed, dialect, known, candidate }: CsvReading): string[] {
  if (failed) {
    const meaning = dialect.quote === '' ? 'text' : dialect.quote
    return [`${failed.message.split('. ')[0]}. The file is read another way: quotes are read as ${meaning}.`]
  }
  if (known.given.quote !== undefined) return []
  const find = (isFound: (text: string) => boolean) => {
    const record = candidate.records.find(({ fields }) => fields.some(({ text }) => isFound(text)))
    const example = record?.fields.find(({ text }) => isFound(text))?.text
    return record && `as in line ${record.line}: ${example?.slice(0, 60)}`
  }
  if (dialect.quote === "'") {
    const line = candidate.records.find(({ fields }) => fields.some(({ isQuoted }) => isQuoted))?.line
    return line === undefined ? [] : [`Single quotes around values are not part of them, as in line ${line}.`]
  }
  const single = find((text) => /^'[^]*'$/.test(text) && text.length > 1)
  if (single !== undefined) return [`Single quotes around values are part of the text, ${single}`]
  const double = dialect.quote === '' ? find((text) => text.includes('"')) : undefined
  return double === undefined ? [] : [`Quotes are part of the text, ${double}`]
}

const rowsHave = ({ rows }: RowCount) => (rows === 1 ? 'One row has' : `${formatCount(rows)} rows have`)

export function listSeconds({
  ranked,
  candidate,
  encoding,
  tallied,
  dialect,
  known,
  start,
}: CsvReading): SecondReading[] {
  const seconds: SecondReading[] = []
  const other = ranked.find(
    ({ signs, score, columns }) =>
      columns > 1 && signs.delimiter !== candidate.signs.delimiter && score > candidate.score - NEAR_SCORE,
  )
  if (other)
    seconds.push({
      label: `Delimiter ${signName(other.signs.delimiter)} (${other.columns} columns)`,
      dialect: { ...other.signs },
    })
  const unquoted = ranked.find(
    ({ signs, score }) => signs.quote !== candidate.signs.quote && score > candidate.score - NEAR_SCORE,
  )
  if (unquoted && !other) {
    seconds.push({
      label: unquoted.signs.quote === '' ? 'Quotes as text' : `Quote ${unquoted.signs.quote}`,
      dialect: { quote: unquoted.signs.quote },
    })
  }
  if (encoding.second && known.given.encoding === undefined) {
    seconds.push({ label: `Encoding ${ENCODING_NAMES[encoding.second]}`, dialect: { encoding: encoding.second } })
  }
  if (tallied.isShortFilled) seconds.push({ label: 'Reject short rows', dialect: { fill_short_rows: false } })
  else if (tallied.short.rows > 0)
    seconds.push({ label: 'Fill short rows with NULL', dialect: { fill_short_rows: true } })
  if (known.given.has_header === undefined && start.isUnsure) {
    seconds.push(
      dialect.has_header
        ? { label: 'No header', dialect: { has_header: false } }
        : { label: 'First row is the header', dialect: { has_header: true } },
    )
  }
  return seconds
}
