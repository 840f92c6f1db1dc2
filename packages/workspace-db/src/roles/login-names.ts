/** Leaves room for the rotation suffix. */
const MAX_LOGIN_NAME_LENGTH = 60
/** At least two parts, so that no keyword of SQL or pg_hba stands alone. */
const LOGIN_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/
/** Platform and Postgres prefixes, and words such as current_user. */
const RESERVED = /^(?:w|pg|trellis|postgres|current|session|system)_/
const ROTATED = '__b'

export const isReservedName = (name: string): boolean => RESERVED.test(name)

export const isLoginName = (name: string): boolean =>
  name.length <= MAX_LOGIN_NAME_LENGTH && LOGIN_NAME.test(name) && !isReservedName(name)

export const toRotatedName = (name: string): string => `${name}${ROTATED}`

const MAX_PART_LENGTH = 24

export function buildLoginName(parts: readonly string[]): string {
  const words = parts.map((part) => toWord(part)).filter((word) => word !== '')
  const name = words.filter((word, at) => word !== words[at - 1] && !words[at + 1]?.startsWith(`${word}_`))
  const padded = name.length < 2 ? [...name, 'login'] : name
  const built = (/^[a-z]/.test(padded[0] ?? '') ? padded : ['db', ...padded]).join('_').slice(0, MAX_LOGIN_NAME_LENGTH)
  const trimmed = built.replace(/_+$/, '')
  return isReservedName(trimmed) ? `db_${trimmed}`.slice(0, MAX_LOGIN_NAME_LENGTH).replace(/_+$/, '') : trimmed
}

const toWord = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_PART_LENGTH)
    .replaceAll(/^_+|_+$/g, '')

export const toNumberedName = (name: string, number: number): string =>
  number < 2 ? name : `${name.slice(0, MAX_LOGIN_NAME_LENGTH - String(number).length - 1).replace(/_+$/, '')}_${number}`
