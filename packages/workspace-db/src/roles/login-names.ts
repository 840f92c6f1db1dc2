/** Leaves room for the rotation suffix. */
const MAX_LOGIN_NAME_LENGTH = 60
/** At least two parts, so that no keyword of SQL or pg_hba stands alone. */
const LOGIN_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/
/** Platform and Postgres prefixes, and words such as current_user. */
const RESERVED_PREFIX = /^(?:w|pg|trellis|postgres|current|session|system)_/
const ROTATION_SUFFIX = '__b'

export const isReservedName = (distinctWords: string): boolean => RESERVED_PREFIX.test(distinctWords)

export const isLoginName = (distinctWords: string): boolean =>
  distinctWords.length <= MAX_LOGIN_NAME_LENGTH && LOGIN_NAME.test(distinctWords) && !isReservedName(distinctWords)

export const toRotatedName = (distinctWords: string): string => `${distinctWords}${ROTATION_SUFFIX}`

const MAX_PART_LENGTH = 24

export function buildLoginName(parts: readonly string[]): string {
  const words = parts.map((part) => toWord(part)).filter((word) => word !== '')
  const distinctWords = words.filter(
    (word, index) => word !== words[index - 1] && !words[index + 1]?.startsWith(`${word}_`),
  )
  const paddedWords = distinctWords.length < 2 ? [...distinctWords, 'login'] : distinctWords
  const joinedName = (/^[a-z]/.test(paddedWords[0] ?? '') ? paddedWords : ['db', ...paddedWords])
    .join('_')
    .slice(0, MAX_LOGIN_NAME_LENGTH)
  const trimmedName = joinedName.replace(/_+$/, '')
  return isReservedName(trimmedName)
    ? `db_${trimmedName}`.slice(0, MAX_LOGIN_NAME_LENGTH).replace(/_+$/, '')
    : trimmedName
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

export const toNumberedName = (distinctWords: string, number: number): string =>
  number < 2
    ? distinctWords
    : `${distinctWords.slice(0, MAX_LOGIN_NAME_LENGTH - String(number).length - 1).replace(/_+$/, '')}_${number}`
