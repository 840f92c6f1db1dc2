import type { BusinessContext } from '@trellis/contract/ai/ai.schemas'

export type ContextKind = BusinessContext['kind']

interface ContextTexts {
  kind: string
  hint: string
  name: string
  text: string
  sql?: { label: string; hint: string; rows: number }
}

export const CONTEXT_TEXTS: Record<ContextKind, ContextTexts> = {
  text: {
    kind: 'Definition',
    hint: 'What a term means in your business.',
    name: 'Term',
    text: 'Definition',
  },
  metric: {
    kind: 'Metric',
    hint: 'A figure with the SQL expression that computes it. A question that names it uses the expression.',
    name: 'Name',
    text: 'Note',
    sql: {
      label: 'SQL expression',
      hint: 'An aggregate over columns of this project’s tables, such as sum(orders.total - orders.refund). It is checked before it is saved.',
      rows: 3,
    },
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
    sql: {
      label: 'SQL',
      hint: 'One SELECT over the tables of this project. It is checked before it is saved.',
      rows: 6,
    },
  },
}

export const CONTEXT_KINDS = [
  'text',
  'metric',
  'synonym',
  'verified_question',
] as const satisfies readonly ContextKind[]
