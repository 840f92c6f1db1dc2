import { stem } from '../words/stem.ts'
import { expandAbbreviation } from '../words/synonyms.ts'

const TABLE_PREFIX = /^(?:tbl|tab|t|dim|fact|fct|stg|vw|v|mv|ods|raw|src)$/

/** `orderItems2`, `ORDER_ITEMS`, `tbl_order_items` → order, items. */
export function splitName(name: string): string[] {
  const parts = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase())
  return parts.length > 1 && TABLE_PREFIX.test(parts[0] ?? '') ? parts.slice(1) : parts
}

/** With shortened parts written out. */
export function expandParts(parts: readonly string[]): string[] {
  return parts.flatMap((part) => expandAbbreviation(part)?.split(' ') ?? [part])
}

export const toStems = (parts: readonly string[]): string[] => parts.map((part) => stem(part))

/** Parts that say what kind of column it is, and not what of. */
const KIND_PARTS = new Set(
  'id key code cd count cnt cents nm name dt date on at ts time timestamp amt amount no nr num number flag flg is has was can are text value total pct percent day min mins minutes hours hr hrs sec seconds ms kg km miles mi ft usd eur'.split(
    ' ',
  ),
)
const UNITS = new Set('count cents percent minutes hours seconds ms kg km miles usd eur'.split(' '))
/** Says in what something is measured: `amount_paid_cents` is the amount paid. */
export const isUnitPart = (part: string): boolean => UNITS.has(part)

export const isKindPart = (part: string): boolean => KIND_PARTS.has(part)

export const toWords = (name: string): string => expandParts(splitName(name)).join(' ')
