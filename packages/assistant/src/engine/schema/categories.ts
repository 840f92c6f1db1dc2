import { type Column, isPersonName, listDisplayColumns } from './model.ts'
import { expandNameParts, splitName, toStems } from './names.ts'

const MAX_CATEGORIES = 30
const MAX_CATEGORY_LENGTH = 40

const FREE_TEXT_NAME =
  /(?:^|_)(?:email|mail|phone|mobile|fax|address|street|postcode|zip|url|link|website|comment|note|notes|remark|remarks|description|message|text|body|password|token|hash|number|reference|sku|iban|file|path|uuid|code)(?:_|$)/

const PERSON_STEMS = new Set(
  toStems(
    'customer client guest user member employee staff worker manager person contact patient doctor physician driver student pupil teacher professor author writer donor volunteer owner player artist passenger tenant subscriber buyer'.split(
      ' ',
    ),
  ),
)

/** A text column with few values that are worth grouping by: no free text, no names of persons. */
export function isCategoryColumn(column: Column): boolean {
  const { kind, isIdentifier, distinct, values, table } = column
  if (kind !== 'text' || isIdentifier || distinct < 2 || distinct > MAX_CATEGORIES) return false
  const nameParts = expandNameParts(splitName(column.name))
  if (isPersonName(column) || FREE_TEXT_NAME.test(nameParts.join('_'))) return false
  const isDisplayColumn = listDisplayColumns(table).includes(column)
  if (
    isDisplayColumn &&
    toStems([...expandNameParts(splitName(table.name)), ...nameParts]).some((part) => PERSON_STEMS.has(part))
  )
    return false
  if (table.rows !== null && table.rows > 0 && distinct > table.rows / 2) return false
  return values.every(({ length }) => length <= MAX_CATEGORY_LENGTH)
}
