import { isSameQuestion } from '@trellis/assistant/verified/is-same-question'
import type { ContextRow } from '../contexts.repository.ts'

export type VerifiedQuestion = ContextRow & { readonly sql: string; readonly integration_code: string }

/** A question somebody has answered with a query before: the same words, in whatever order. */
export function lookUpVerified(contexts: readonly ContextRow[], text: string): VerifiedQuestion | undefined {
  return contexts.find(
    (context): context is VerifiedQuestion =>
      context.kind === 'verified_question' &&
      context.sql !== null &&
      context.integration_code !== null &&
      isSameQuestion(context.name, text),
  )
}
