/** What a value could be, as bits: a column can be what all its values can be. */
export const KIND = {
  boolean: 1 << 0,
  /** Numbers with a decimal point, and the same three with a decimal comma. */
  integer: 1 << 1,
  decimal: 1 << 2,
  float: 1 << 3,
  commaInteger: 1 << 4,
  commaDecimal: 1 << 5,
  commaFloat: 1 << 6,
  dateYmd: 1 << 7,
  dateDmy: 1 << 8,
  dateMdy: 1 << 9,
  timestampYmd: 1 << 10,
  timestampDmy: 1 << 11,
  timestampMdy: 1 << 12,
  zonedYmd: 1 << 13,
  zonedDmy: 1 << 14,
  zonedMdy: 1 << 15,
  time: 1 << 16,
  interval: 1 << 17,
  uuid: 1 << 18,
  json: 1 << 19,
} as const

export const ALL_KINDS = (1 << 20) - 1
export const DATES = KIND.dateYmd | KIND.dateDmy | KIND.dateMdy
export const TIMESTAMPS = KIND.timestampYmd | KIND.timestampDmy | KIND.timestampMdy
export const ZONED = KIND.zonedYmd | KIND.zonedDmy | KIND.zonedMdy
export const TEMPORAL = DATES | TIMESTAMPS | ZONED
export const POINT_NUMBER = KIND.integer | KIND.decimal | KIND.float
export const COMMA_NUMBER = KIND.commaInteger | KIND.commaDecimal | KIND.commaFloat
export const NUMERIC = POINT_NUMBER | COMMA_NUMBER

/** What must be known about a value beside its kinds, in the bits above them. */
export const MARK = {
  /** Postgres reads it only once it is written in another way. */
  rewritten: 1 << 20,
  /** `1.234`: one number with a decimal point, another one with a decimal comma. */
  twoNumbers: 1 << 21,
  /** `$`, `€`, a minus as bookkeepers write it, or the one of `-0.00`: not part of a number. */
  currency: 1 << 22,
  /** Groups of digits separated by spaces, as telephone numbers are too. */
  spaced: 1 << 23,
  /** With an exponent. */
  scientific: 1 << 24,
  /** More digits than a floating number keeps. */
  exact: 1 << 25,
  twoDigitYear: 1 << 26,
  /** `Yes` or `T`, which a boolean does not keep. */
  word: 1 << 27,
  /** Letters of a UUID that become small. */
  capitals: 1 << 28,
  /** A moment that names no time zone. */
  unzoned: 1 << 29,
  /** `01/02/2024`: one day with the day first, another one with the month first. */
  twoDates: 1 << 30,
} as const
export const ALL_MARKS = 0x7fffffff & ~ALL_KINDS
