/** Thresholds for the score of a match: 1 means that the words are the exact name, see name-scores.ts. */
export const EXACT_MATCH = 0.97
export const SURE_MATCH = 0.9
/** The score of a meaning that is derived from the words beside it. */
export const DERIVED_MATCH = 0.85
/** A synonym scores less than this. */
export const CLEAR_MATCH = 0.8
/** The last word of a table's name still reaches this. */
export const TABLE_MATCH = 0.78
export const LIKELY_MATCH = 0.7
export const WEAK_MATCH = 0.68
/** Below this, names that are only similar to the word are considered as well. */
export const MIN_CERTAIN_MATCH = 0.6
/** Below this, a name is not considered at all. */
export const MIN_MATCH = 0.4
/** Another meaning whose score is at most this much lower is nearly as likely. */
export const SIMILAR_SCORE_MARGIN = 0.2
