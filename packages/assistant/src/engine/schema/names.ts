import { stemWord } from '../words/stem.ts'
import { expandAbbreviation, expandAmbiguousAbbreviation } from '../words/abbreviations.ts'
import { expandGermanAbbreviation, translateGerman } from '../words/german.ts'

const TABLE_PREFIX = /^(?:tbl|tab|t|dim|fact|fct|stg|vw|v|mv|ods|raw|src)$/
const TABLE_SUFFIX = /^(?:hdr|header|mst|mstr|tbl)$/

/** `orderItems2`, `ORDER_ITEMS`, `tbl_order_items` → order, items. */
export function splitName(name: string): string[] {
  const parts = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]{2,})([A-Z][a-z]{2,})/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase())
  const withoutPrefix = parts.length > 1 && TABLE_PREFIX.test(parts[0] ?? '') ? parts.slice(1) : parts
  return withoutPrefix.length > 1 && TABLE_SUFFIX.test(withoutPrefix.at(-1) ?? '')
    ? withoutPrefix.slice(0, -1)
    : withoutPrefix
}

/** Writes out abbreviations and translates German: `kd`, `nm` → customer, name. */
export function expandNameParts(parts: readonly string[]): string[] {
  const isGerman = parts.some((part) => translateGerman(part) !== undefined || GERMAN_ABBREVIATIONS.has(part))
  return parts.flatMap((part, partIndex) => {
    const german = isGerman ? expandGermanAbbreviation(part) : undefined
    const noun =
      parts.length > 1
        ? (expandAmbiguousAbbreviation(part, parts[partIndex + 1], parts[partIndex - 1]) ?? NOUNS_OF_VERBS[part])
        : undefined
    return (noun ?? german ?? expandAbbreviation(part) ?? translateGerman(part))?.split(' ') ?? [part]
  })
}

/** Verbs that are nouns before another noun: `PayMethod`. */
const NOUNS_OF_VERBS: Readonly<Record<string, string>> = {
  pay: 'payment',
  ship: 'shipping',
  deliver: 'delivery',
  enrol: 'enrolment',
}

const GERMAN_ABBREVIATIONS = new Set(['kd', 'nr', 'rech', 'jn', 'kz', 'bez', 'dat', 'am'])

/** `rech_dat` → invoice_date */
export const toEnglishName = (name: string): string => expandNameParts(splitName(name)).join('_')

export const toStems = (parts: readonly string[]): string[] => parts.map((part) => stemWord(part))

const GENERIC_PARTS = new Set(
  'id key code cd count cnt cents nm name dt date on at ts time timestamp amt amount no nr num number flag flg is has was can are text value total pct percent day min mins minutes hours hr hrs sec seconds ms kg km kwh miles mi ft usd eur yn jn am ind'.split(
    ' ',
  ),
)
const UNIT_PARTS = new Set('count cents percent minutes hours seconds ms kg km kwh miles usd eur'.split(' '))
/** A unit as suffix: `amount_paid_cents` is the amount paid. */
export const isUnitPart = (part: string): boolean => UNIT_PARTS.has(part)

/** Parts that say the kind of a column rather than its meaning: id, date, amount. */
export const isGenericPart = (part: string): boolean => GENERIC_PARTS.has(part)

export const toReadableName = (name: string): string => expandNameParts(splitName(name)).join(' ')
