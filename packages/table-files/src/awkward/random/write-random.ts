import { type TextEncoding, encodeText } from './encode-text.ts'
import { type Random, type RandomTable, type Script, createRandom, createTable } from './random-values.ts'

export interface RandomFile {
  readonly table: RandomTable
  readonly bytes: Buffer
  readonly about: string
  readonly hasHeader: boolean
  readonly extraRows: number
}

const SCRIPTS: readonly (readonly [Script, readonly TextEncoding[]])[] = [
  ['ascii', ['utf-8', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252']],
  ['western', ['utf-8', 'windows-1252', 'windows-1252', 'utf-16le', 'utf-16be']],
  ['japanese', ['utf-8', 'shift_jis', 'shift_jis', 'utf-16le']],
  ['chinese', ['utf-8', 'gb18030', 'gb18030', 'utf-16be']],
]
const COMMON_DELIMITERS = [',', ',', ';', ';', '\t', '|']
const RARE_DELIMITERS = ['^', '~', '!', '\u0001', '\u001f', '§', '¦', '¬', '│', '•']

interface Style {
  readonly delimiter: string
  readonly quote: string
  readonly escape: '' | '\\'
  readonly isAlwaysQuoted: boolean
  readonly eol: string
}

function writeValue(value: string, style: Style): string | undefined {
  const { delimiter, quote, escape, isAlwaysQuoted } = style
  const needs = value.includes(delimiter) || /[\r\n]/.test(value) || (quote !== '' && value.includes(quote))
  if (!needs && !isAlwaysQuoted && !(quote === '' && /^["']/.test(value))) return value
  if (value === '' && !isAlwaysQuoted) return value
  if (quote === '') return needs || /^["']/.test(value) ? undefined : value
  const inner =
    escape === '\\'
      ? value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
      : value.replaceAll(quote, quote + quote)
  return quote + inner + quote
}

const TITLES = ['Report of May', 'Umsatz 2024', 'Exported by Ada', 'Data']

export function createTextFile(seed: number): RandomFile | undefined {
  const random = createRandom(seed)
  const [script, encodings] = random.pick(SCRIPTS)
  const encoding = random.pick(encodings)
  const table = createTable(random, script)
  const isRare = random.chance(0.2)
  const delimiter = random.pick(isRare ? RARE_DELIMITERS : COMMON_DELIMITERS)
  const quote = random.pick(['"', '"', '"', '"', "'", ''])
  const style: Style = {
    delimiter,
    quote,
    escape: quote === '"' && random.chance(0.15) ? '\\' : '',
    isAlwaysQuoted: quote !== '' && random.chance(0.2),
    eol: random.pick(['\n', '\n', '\r\n', '\r\n', '\r']),
  }
  const hasHeader = isRare || random.chance(0.85)
  const lines = [...(hasHeader ? [table.headers] : []), ...table.rows.map((row) => row.map(({ written }) => written))]
  const written = lines.map((line) => line.map((value) => writeValue(value, style)))
  if (written.some((line) => line.includes(undefined))) return undefined
  // One column whose values contain commas is ambiguous.
  if (table.headers.length === 1 && written.some(([value]) => /^[^"'].*[,;\t|]/s.test(value ?? ''))) return undefined
  const body = written.map((line) => line.join(delimiter))
  const { before, after } = addNotes(random, style, table)
  const text = [...before, ...body, ...after].join(style.eol) + (random.chance(0.8) ? style.eol : '')
  const bytes = encodeText(text, encoding)
  if (!bytes || bytes.length === 0) return undefined
  const mark =
    encoding.startsWith('utf') && random.chance(encoding === 'utf-8' ? 0.2 : 0.7)
      ? encodeText('\ufeff', encoding)
      : undefined
  const about = JSON.stringify({
    seed,
    encoding,
    ...style,
    hasHeader,
    mark: mark !== undefined,
    before,
    after,
    width: table.headers.length,
  })
  return { table, bytes: mark ? Buffer.concat([mark, bytes]) : bytes, about, hasHeader, extraRows: after.length }
}

function addNotes(random: Random, { delimiter }: Style, { headers }: RandomTable) {
  const before: string[] = []
  const isCommon = COMMON_DELIMITERS.includes(delimiter)
  if (isCommon && headers.length > 1 && random.chance(0.1)) before.push(random.pick(TITLES))
  if (before.length > 0 && random.chance(0.5)) before.push('')
  if (headers.length > 1 && random.chance(0.05)) before.push('# made by a machine')
  const after: string[] = []
  if (headers.length > 2 && random.chance(0.05)) after.push('Total' + delimiter.repeat(headers.length - 1))
  return { before, after }
}
