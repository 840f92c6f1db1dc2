export interface Question {
  readonly kind: string
  readonly question: string
  /** Any of several queries counts as right. */
  readonly sql: readonly string[]
}

/** Every third question only counts in totals, while rules are tuned on the others. */
export const isHeldOut = (at: number): boolean => at % 3 === 2

export type WrittenQuestion = readonly [kind: string, question: string, sql: string | readonly string[]]

export const toQuestions = (list: readonly WrittenQuestion[]): Question[] =>
  list.map(([kind, question, sql]) => ({ kind, question, sql: typeof sql === 'string' ? [sql] : sql }))
