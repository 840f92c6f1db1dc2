/** Bit set of types a value fits; a column fits the intersection. */
export const KIND = {
  boolean: 1 << 0,
  /** With a decimal point, then with a decimal comma. */
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

/** Marks, in the bits above the kinds. */
export const MARK = {
  /** Must be rewritten for Postgres. */
  rewritten: 1 << 20,
  /** `1.234` differs by decimal point or comma. */
  twoNumbers: 1 << 21,
  /** Has `$`, `€`, an accounting minus, or is `-0.00`. */
  currency: 1 << 22,
  /** Digits grouped by spaces, as in phone numbers. */
  spaced: 1 << 23,
  scientific: 1 << 24,
  exact: 1 << 25,
  twoDigitYear: 1 << 26,
  /** `Yes` or `T`, whose spelling a boolean loses. */
  word: 1 << 27,
  /** Upper case UUID letters, which become lower case. */
  capitals: 1 << 28,
  /** Without a time zone. */
  unzoned: 1 << 29,
  /** `01/02/2024` differs by day or month first. */
  twoDates: 1 << 30,
} as const
export const ALL_MARKS = 0x7fffffff & ~ALL_KINDS
