/**
 * An interpretation of a question begins with a confidence of 1, from which penalties are subtracted. Below 0.6
 * (MIN_CONFIDENCE) the engine asks which interpretation is meant instead of answering: any of the first three penalties
 * is enough for that.
 */
export const ASK_BACK_PENALTY = 0.45
/** A word that was read but has no effect on the query, or one with several equally likely meanings. */
export const UNREAD_WORD_PENALTY = 0.42
/** Something that the query needs, such as the column to order by, was not found. */
export const NOT_FOUND_PENALTY = 0.5
export const GUESSED_COUNT_PENALTY = 0.4
/** A word that matches a name only by a synonym or a part of it. */
export const WEAK_MATCH_PENALTY = 0.21
export const GUESSED_COLUMN_PENALTY = 0.2
export const STOP_WORD_PENALTY = 0.17
/** Two meanings, of which the second is only a little less likely. */
export const SLIGHT_AMBIGUITY_PENALTY = 0.14
/** "over 500 euros" can only mean the one amount column of a table. */
export const ONLY_AMOUNT_PENALTY = 0.1
