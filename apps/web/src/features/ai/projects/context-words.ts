import type { BusinessContext } from '@trellis/contract/ai/ai.schemas'

export type ContextKind = BusinessContext['kind']

interface ContextWords {
  kind: string
  hint: string
  name: string
  text: string
}

export const CONTEXT_WORDS: Record<ContextKind, ContextWords> = {
  text: {
    kind: 'Definition or metric',
    hint: 'What a term or figure means in your business.',
    name: 'Term',
    text: 'Definition',
  },
  synonym: {
    kind: 'Synonyms',
    hint: 'Other words people use for a table, column or value.',
    name: 'Term',
    text: 'Other words, separated by commas',
  },
  verified_question: {
    kind: 'Verified question',
    hint: 'A question with the query that answers it. The same question always runs this query.',
    name: 'Question',
    text: 'Note',
  },
}

export const CONTEXT_KINDS = ['text', 'synonym', 'verified_question'] as const satisfies readonly ContextKind[]
