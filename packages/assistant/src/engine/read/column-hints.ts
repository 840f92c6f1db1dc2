import { countJoinSteps, findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import {
  type Column,
  type Model,
  type Table,
  findLineValueColumns,
  isDate,
  isLateDate,
  isMeasure,
  isYear,
  listDateColumns,
  listDisplayColumns,
  listKeyColumns,
} from '../schema/model.ts'
import { expandNameParts, splitName, toEnglishName, toStems } from '../schema/names.ts'
import { stemWord } from '../words/stem.ts'

/** The column for an adjective, such as `price` for "most expensive"; hints are tried in order. */
export function findHintedColumn(table: Table, hints: readonly string[]): Column | undefined {
  for (const hint of hints) {
    if (hint === 'date') {
      const [date] = listDateColumns(table)
      if (date && !(date.isNullable && isLateDate(date))) return date
      continue
    }
    if (hint === 'year') {
      const [year, secondYear] = table.columns.filter((other) => isYear(other))
      if (year && !secondYear) return year
      continue
    }
    const hintStem = stemWord(hint)
    const column = table.columns.find(
      (candidate) =>
        (isMeasure(candidate) || isDate(candidate)) &&
        toStems(expandNameParts(splitName(candidate.name))).includes(hintStem),
    )
    if (column) return column
  }
  return undefined
}

/** "most expensive": an article with a purchase price and a sales price has two. */
export const hasSimilarColumns = ({ columns }: Table, { name }: Column, hints: readonly string[]): boolean => {
  const english = toEnglishName(name)
  const hint = hints.find((candidate) => english.split('_').includes(candidate))
  const similarColumns = columns.filter(
    (column) =>
      isMeasure(column) &&
      toEnglishName(column.name)
        .split('_')
        .includes(hint ?? ''),
  )
  return (
    hint !== undefined && similarColumns.length > 1 && english !== hint && !/unit|list|sale|sell|retail/.test(english)
  )
}

const SIZE_COLUMN_NAME = /(?:^|_)(?:capacity|area|size|population|hectares|acres|sqm|surface|seats|volume)(?:_|$)/

/** "largest gallery": the only column for capacity or area, otherwise the only amount. */
export function findSizeColumn(table: Table): Column | undefined {
  const amounts = table.columns.filter((column) => isMeasure(column) && isAdditive(column))
  const sizes = amounts.filter(({ name }) => SIZE_COLUMN_NAME.test(toEnglishName(name)))
  const [size, secondSize] = sizes.length > 0 ? sizes : amounts
  return secondSize ? undefined : size
}

const NOT_SUMMABLE_NAME =
  /price|rate|ratio|percent|pct|score|rating|age|temperature|temp|grade|severity|latitude|longitude|level|height|weight|speed|gpa|index|avg|average|mean|unit_cost|discount|elev|depth|density|rank|salary|(?:^|_)marks?(?:_|$)/i

/** Prices and degrees are averaged, amounts are summed. */
export const isAdditive = ({ name }: Column): boolean => {
  const english = toEnglishName(name)
  return (
    /^total_(?:price|cost|weight)/.test(english) || (!NOT_SUMMABLE_NAME.test(name) && !NOT_SUMMABLE_NAME.test(english))
  )
}

/** "best selling product": the quantity column of the nearest child table, such as order lines. */
export function findQuantityColumn(model: Model, table: Table): Column | undefined {
  const quantities = model.tables
    .flatMap(
      (other) =>
        findLineValueColumns(other)?.quantity ?? other.columns.filter(({ name }) => /^(?:quantity|qty)$/i.test(name)),
    )
    .filter((column) => isManyToOnePath(findJoinPath(model, column.table, table)))
  return quantities.toSorted((a, b) => countJoinSteps(model, a.table, table) - countJoinSteps(model, b.table, table))[0]
}

/** The text column that says what kind of row it is, such as a name, type or category. */
export function findCategoryColumn(table: Table): Column | undefined {
  const texts = table.columns.filter((column) => column.kind === 'text' && !column.isIdentifier)
  const names = new Set(toStems(splitName(table.name)))
  return (
    texts.find(({ name }) => /desc|name|title|type|kind|categor/i.test(name) && !/^(?:first|last)/i.test(name)) ??
    texts.find(({ name }) => toStems(splitName(name)).some((part) => names.has(part)))
  )
}

const MAX_LISTED_COLUMNS = 12

/** Columns of a listed table: key, name, requested columns, then the others, at most twelve. */
export function listShownColumns(table: Table, wantedColumns: readonly Column[]): Column[] {
  const otherColumns = table.columns.filter((column) => column.kind !== 'other')
  const all = [...listKeyColumns(table), ...listDisplayColumns(table), ...wantedColumns, ...otherColumns]
  return [...new Set(all)].slice(0, MAX_LISTED_COLUMNS)
}
