import type { FileDialect } from '../read/dialect.ts'
import { MARK } from '../values/kinds.ts'
import { isoMoment } from '../values/moments.ts'
import { readCurrency, plainNumber } from '../values/numbers.ts'
import { type TypeName, isMoment } from '../values/type-names.ts'
import { type ColumnProfile, type ColumnTally, type DateOrderFound, isTwoNumbers } from './column-profile.ts'
import type { SecondReading } from './file-profile.ts'

const NUMBERS: readonly TypeName[] = ['integer', 'decimal', 'float']
const MAX_NAMED = 3
/** Excel shortens numbers from twelve digits on to six. */
const SHORTENED = /^\d[.,]\d{1,5}E\+1\d$/

interface ColumnFindings {
  readonly tallies: readonly ColumnTally[]
  readonly columns: readonly ColumnProfile[]
  readonly dates: DateOrderFound | undefined
  readonly given: Partial<FileDialect>
}

interface ProfiledColumn {
  readonly tally: ColumnTally
  readonly column: ColumnProfile
}

export function warnColumns({ tallies, columns, dates, given }: ColumnFindings) {
  const all = tallies.map((tally, at): ProfiledColumn => ({ tally, column: columns[at] as ColumnProfile }))
  const numbers = all.filter(({ column }) => NUMBERS.includes(getColumnType(column)))
  const moments = all.filter(({ column }) => isMoment(getColumnType(column)))
  const warnings: string[] = []
  const seconds: SecondReading[] = []
  const addWarning = (
    profiledColumns: readonly ProfiledColumn[],
    sentence: (profiledColumn: ProfiledColumn) => string,
  ) => {
    const [first] = profiledColumns
    if (first) warnings.push(listColumnNames(profiledColumns) + sentence(first))
  }
  const marked = (mark: number, among = all) => among.filter(({ tally }) => (tally.marks & mark) !== 0)
  const example = ({ tally }: ProfiledColumn, mark: number) => tally.examples.get(mark) ?? ''

  const twoNumbers = numbers.filter(({ tally }) => isTwoNumbers(tally))
  const [open] = twoNumbers
  if (open && given.decimal_comma === undefined) {
    const isComma = open.column.decimal_comma === true
    addWarning(twoNumbers, (profiledColumn) => {
      const text = example(profiledColumn, MARK.twoNumbers)
      return `${text} is read as ${plainNumber(text, isComma)}, with a decimal ${isComma ? 'comma' : 'point'}; with a decimal ${isComma ? 'point' : 'comma'} it would be ${plainNumber(text, !isComma)}.`
    })
    seconds.push({
      label: `Numbers with a decimal ${isComma ? 'point' : 'comma'}`,
      dialect: { decimal_comma: !isComma },
    })
  }
  if (dates && dates.open.length > 0 && given.date_order === undefined) {
    const isDayFirst = dates.order === 'dmy'
    const profiledColumns = marked(MARK.twoDates, moments).filter(({ tally }) => dates.open.includes(tally))
    addWarning(
      profiledColumns,
      (profiledColumn) =>
        `Dates such as ${example(profiledColumn, MARK.twoDates)} can be read in two ways. They are read ${isDayFirst ? 'day' : 'month'} first${dates.isAmbiguous ? '' : ', as in the other columns'}; choose the other order if that is wrong.`,
    )
    if (profiledColumns.length > 0)
      seconds.push({
        label: `Dates with the ${isDayFirst ? 'month' : 'day'} first`,
        dialect: { date_order: isDayFirst ? 'mdy' : 'dmy' },
      })
  }
  addWarning(marked(MARK.twoDigitYear, moments), (profiledColumn) => {
    const text = example(profiledColumn, MARK.twoDigitYear)
    return `the year has two digits; ${text} is read as ${isoMoment(text, dates?.order ?? 'dmy') ?? text}.`
  })
  addWarning(
    marked(
      MARK.unzoned,
      all.filter(({ column }) => getColumnType(column) === 'timestamptz'),
    ),
    (profiledColumn) =>
      `${example(profiledColumn, MARK.unzoned)} names no time zone although others do; it is read as UTC.`,
  )
  addWarning(marked(MARK.currency, numbers), (profiledColumn) => {
    const text = example(profiledColumn, MARK.currency)
    const without = readCurrency(text) === '' ? '' : ', without its currency'
    return `${text} is read as ${plainNumber(text, profiledColumn.column.decimal_comma === true)}${without}.`
  })
  addWarning(
    numbers.filter((number) => SHORTENED.test(example(number, MARK.scientific))),
    (profiledColumn) =>
      `${example(profiledColumn, MARK.scientific)} is written as spreadsheets shorten long numbers. If these are codes, their last digits were lost before the file was sent.`,
  )
  addWarning(
    marked(
      MARK.word,
      all.filter(({ column }) => getColumnType(column) === 'boolean'),
    ),
    (profiledColumn) => {
      const text = example(profiledColumn, MARK.word)
      return `${text} is read as ${/^(?:t|y|on)/i.test(text) ? 'true' : 'false'}. Choose text to keep the word.`
    },
  )
  addWarning(
    marked(
      MARK.capitals,
      all.filter(({ column }) => getColumnType(column) === 'uuid'),
    ),
    (profiledColumn) => {
      const text = example(profiledColumn, MARK.capitals)
      return `${text} is read as ${text.toLowerCase()}. Choose text to keep its capital letters.`
    },
  )
  addWarning(
    all.filter(({ tally }) => tally.forced !== undefined),
    ({ tally }) => `="${tally.forced}" is read as the text ${tally.forced}.`,
  )
  addWarning(
    all.filter(({ tally }) => tally.words.size > 0),
    ({ tally }) => {
      const [word = '', count = 0] = [...tally.words][0] ?? []
      const what = word === '' ? 'a value of spaces alone' : word
      return `${what} is read as NULL${count > 1 ? ` (${count.toLocaleString('en')} values)` : ''}.`
    },
  )
  const keptProfiledColumn = all.find(({ tally }) => tally.keptWord !== '')
  if (keptProfiledColumn) {
    const { keptWord } = keptProfiledColumn.tally
    seconds.push({
      label: `${keptWord} as no value in text columns too`,
      dialect: { null_tokens: ['', keptWord], null_words_in_text: true },
    })
  }
  for (const profiledColumn of all) warnings.push(...misfitWarning(profiledColumn))
  const withComma = numbers.filter(
    ({ column, tally }) => column.decimal_comma === true && !isTwoNumbers(tally) && tally.marks !== 0,
  )
  const values = withComma.reduce((sum, { tally }) => sum + tally.values - tally.misfits, 0)
  const reasons =
    values > 0
      ? [
          `Decimal comma: ${values.toLocaleString('en')} of ${withComma.reduce((sum, { tally }) => sum + tally.values, 0).toLocaleString('en')} amounts fit.`,
        ]
      : []
  return { warnings, reasons, seconds }
}

const getColumnType = (column: ColumnProfile): TypeName => column.likely_type ?? column.fitting_types[0] ?? 'text'

function listColumnNames(profiledColumns: readonly ProfiledColumn[]): string {
  const names = profiledColumns.slice(0, MAX_NAMED).map(({ column }) => `“${column.header}”`)
  const more = profiledColumns.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more columns` : ''}: `
}

function misfitWarning({ column, tally }: ProfiledColumn): string[] {
  const { header, fitting_types, likely_type = 'text' } = column
  if (fitting_types.includes(likely_type)) return []
  const { misfits, misfit } = tally
  const rest = misfits === 1 ? 'One value' : `${misfits.toLocaleString('en')} values`
  const verb = misfits === 1 ? 'does' : 'do'
  const example = misfit === '' ? '' : `, such as ${misfit.slice(0, 60)}`
  return [
    `${rest} of “${header}”${example}, ${verb} not fit what the others are. Choose text to keep every value as it is.`,
  ]
}
