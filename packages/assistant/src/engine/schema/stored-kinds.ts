import type { CatalogueColumn } from './catalogue.ts'
import { isKindPart, splitName, toEnglishName } from './names.ts'

export interface StoredKind {
  readonly kind: CatalogueColumn['kind']
  readonly isNumericText: boolean
  /** The stored value for true, if the column is not a boolean. */
  readonly trueValue: string | null
}

const NUMBER = /^-?\d+(?:\.\d+)?$/
const AMOUNT =
  /(?:^|_)(?:amount|price|cost|fee|total|sum|value|balance|salary|revenue|quantity|weight|consumption)(?:_|$)/
const YES = ['y', 'yes', 'j', 'ja', 't', 'true', '1', 'x']
const NO = ['n', 'no', 'nein', 'f', 'false', '0', '']
const FLAG = /^(?:is|has|was|can)_|_(?:flag|flg|yn|jn|ind)$/

/** For small tables pg_stats has a share instead of a number. */
const countDistinct = ({ distinct }: CatalogueColumn, rows: number | null): number =>
  distinct >= 0 ? distinct : Math.round(-distinct * (rows ?? 0))

export function findStoredKind(column: CatalogueColumn, rows: number | null): StoredKind {
  const { kind, name, values } = column
  const distinct = countDistinct(column, rows)
  const plain = { kind, isNumericText: false, trueValue: null }
  if (
    kind === 'text' &&
    values.length > 0 &&
    AMOUNT.test(toEnglishName(name)) &&
    values.every((item) => NUMBER.test(item))
  ) {
    return { kind: 'number', isNumericText: true, trueValue: null }
  }
  const isFlag = FLAG.test(splitName(name).join('_'))
  if (
    kind === 'integer' &&
    isFlag &&
    distinct > 0 &&
    distinct <= 2 &&
    values.every((item) => item === '0' || item === '1')
  )
    return { kind: 'boolean', isNumericText: false, trueValue: '1' }
  const isTwo = distinct > 0 && distinct <= 2 && values.length > 0 && values.length <= 2
  const yes = values.find((candidate) => YES.includes(candidate.trim().toLowerCase()))
  const others = values.filter((item) => item !== yes)
  if (kind !== 'text' || !isTwo || yes === undefined || !others.every((item) => NO.includes(item.trim().toLowerCase())))
    return plain
  // `flag` alone does not say what is flagged.
  return splitName(name).every((part) => isKindPart(part))
    ? plain
    : { kind: 'boolean', isNumericText: false, trueValue: yes }
}
