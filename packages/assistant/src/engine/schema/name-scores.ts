/**
 * How surely words mean a table, a column or a stored value: 1 for its exact name, less for every part that is left
 * out, translated or replaced by a synonym.
 */
export const TABLE_SCORES = {
  exactName: 1,
  /** `cust_ord` as "customer order". */
  expandedName: 0.97,
  /** `order_records` as "order". */
  withoutRecordWord: 0.88,
  lastWord: 0.78,
  firstWord: 0.55,
  label: 0.6,
  synonymInLongName: 0.8,
  synonymOfName: 0.74,
  synonymOfLastWord: 0.5,
  partInSimilarName: 0.75,
} as const

export const COLUMN_SCORES = {
  exactName: 1,
  expandedName: 0.97,
  /** `rent_month` as "monthly rent", `paid_on` as "paid date". */
  withPeriodOrDateWord: 0.95,
  withoutTableName: 0.93,
  withoutUnit: 0.92,
  withoutPeriod: 0.9,
  /** `appt_minutes` of appointments as "minutes". */
  timeUnitOnly: 0.7,
  withoutGenericParts: 0.85,
  lastWordOfFlag: 0.9,
  lastWord: 0.74,
  withoutClassifyingWord: 0.8,
  firstWord: 0.6,
  synonymInLongName: 0.76,
  synonymOfName: 0.72,
  synonymOfLastWord: 0.6,
  unit: 0.7,
  laterPart: 0.66,
  laterGenericPart: 0.45,
  partInSimilarName: 0.62,
  revenueWord: 0.6,
  lastWordOfAmount: 0.9,
  total: 0.88,
  undeclaredReference: 0.82,
  selfReference: 0.8,
} as const

/** Names of keys rarely mean the key itself. */
export const IDENTIFIER_PENALTY = 0.3

export const COMMENT_SCORES = { firstWord: 0.82, firstTwoWords: 0.7, otherWord: 0.42 } as const

export const VALUE_SCORES = { exact: 1, sameStem: 0.92, joined: 0.9, translated: 0.88 } as const

/** Quantity times unit price, which has no column. */
export const LINE_VALUE_SCORES = { revenueWord: 0.86, otherWord: 0.7 } as const

/** Above any name of a table or column. */
export const METRIC_SCORE = 2
export const NOUN_OF_VERB_SCORE = 0.7
