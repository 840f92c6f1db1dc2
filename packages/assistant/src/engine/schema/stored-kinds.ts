import type { CatalogueColumn } from './catalogue.ts'
import { isGenericPart, splitName, toEnglishName } from './names.ts'

/** How a column is to be read, which may differ from its declared type. */
export interface ColumnValueKind {
  readonly kind: CatalogueColumn['kind']
  readonly isNumericText: boolean
  /** The stored value for true, if the column is not a boolean. */
  readonly trueValue: string | null
}

const NUMBER_TEXT = /^-?\d+(?:\.\d+)?$/
const AMOUNT_NAME =
  /(?:^|_)(?:amount|price|cost|fee|total|sum|value|balance|salary|revenue|quantity|weight|consumption)(?:_|$)/
const TRUE_TEXTS = ['y', 'yes', 'j', 'ja', 't', 'true', '1', 'x']
const FALSE_TEXTS = ['n', 'no', 'nein', 'f', 'false', '0', '']
const FLAG_NAME = /^(?:is|has|was|can)_|_(?:flag|flg|yn|jn|ind)$/

/** For small tables pg_stats has a share instead of a number. */
const estimateDistinctValues = ({ distinct }: CatalogueColumn, rows: number | null): number =>
  distinct >= 0 ? distinct : Math.round(-distinct * (rows ?? 0))

/** Text that holds only numbers is read as a number; `Y`/`N` and 0/1 as a boolean. */
export function inferValueKind(column: CatalogueColumn, rows: number | null): ColumnValueKind {
  const { kind, name, values } = column
  const distinct = estimateDistinctValues(column, rows)
  const declaredKind = { kind, isNumericText: false, trueValue: null }
  if (
    kind === 'text' &&
    values.length > 0 &&
    AMOUNT_NAME.test(toEnglishName(name)) &&
    values.every((item) => NUMBER_TEXT.test(item))
  ) {
    return { kind: 'number', isNumericText: true, trueValue: null }
  }
  const isFlag = FLAG_NAME.test(splitName(name).join('_'))
  if (
    kind === 'integer' &&
    isFlag &&
    distinct > 0 &&
    distinct <= 2 &&
    values.every((item) => item === '0' || item === '1')
  )
    return { kind: 'boolean', isNumericText: false, trueValue: '1' }
  const hasTwoValues = distinct > 0 && distinct <= 2 && values.length > 0 && values.length <= 2
  const trueValue = values.find((candidate) => TRUE_TEXTS.includes(candidate.trim().toLowerCase()))
  const otherValues = values.filter((item) => item !== trueValue)
  if (
    kind !== 'text' ||
    !hasTwoValues ||
    trueValue === undefined ||
    !otherValues.every((item) => FALSE_TEXTS.includes(item.trim().toLowerCase()))
  )
    return declaredKind
  // `flag` alone does not say what is flagged.
  return splitName(name).every((part) => isGenericPart(part))
    ? declaredKind
    : { kind: 'boolean', isNumericText: false, trueValue }
}
