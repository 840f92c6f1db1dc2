import { matchVerifiedQuestion } from '@trellis/assistant/verified/match-verified'
import type { ContextRow } from '../contexts.repository.ts'

export type VerifiedQuestion = ContextRow & {
  readonly sql: string
  readonly integration_code: string
  readonly values: Readonly<Record<string, string>>
}

/** Matches the same words in any order, or with other values. */
export function lookUpVerified(contexts: readonly ContextRow[], text: string): VerifiedQuestion | undefined {
  for (const context of contexts) {
    const { kind, sql, integration_code, problem } = context
    if (kind !== 'verified_question' || sql === null || integration_code === null || problem !== null) continue
    const values = matchVerifiedQuestion(context.name, text)
    if (values) return { ...context, sql, integration_code, values }
  }
  return undefined
}
