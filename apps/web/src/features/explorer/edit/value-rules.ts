import type { EditableColumn } from '@trellis/contract/explorer/row-edits.schemas'

type InputKind = 'choice' | 'date' | 'line' | 'lines' | 'json' | 'number'

export function findInputKind({ type, labels }: Pick<EditableColumn, 'type' | 'labels'>): InputKind {
  if (labels !== null || type === 'boolean') return 'choice'
  if (type === 'date') return 'date'
  if (/^jsonb?$/.test(type)) return 'json'
  if (/^(smallint|integer|bigint|numeric|real|double precision)/.test(type) && !type.endsWith('[]')) return 'number'
  return /^(text|character varying|xml|bytea)/.test(type) || type.endsWith('[]') ? 'lines' : 'line'
}

export function listChoices({ type, labels }: Pick<EditableColumn, 'type' | 'labels'>): readonly string[] {
  return labels ?? (type === 'boolean' ? ['true', 'false'] : [])
}

const EXAMPLES: readonly [RegExp, string][] = [
  [/^timestamp with time zone/, '2026-01-31 14:30:00+00'],
  [/^timestamp/, '2026-01-31 14:30:00'],
  [/^time/, '14:30:00'],
  [/^interval/, '1 day 02:00:00'],
  [/^uuid/, '6f1d9a52-0d64-4f2f-9d0a-2f8f7c1a6b11'],
  [/\[\]$/, '{1,2,3}'],
]

export const findExample = (type: string): string | undefined => EXAMPLES.find(([pattern]) => pattern.test(type))?.[1]

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const WHOLE = /^[+-]?\d+$/
const NOT_FINITE = /^(?:NaN|[+-]?Infinity)$/i

/** Only what the database would certainly refuse. */
export function findValueProblem(type: string, text: string): string | undefined {
  const kind = findInputKind({ type, labels: null })
  if (kind === 'json') {
    try {
      JSON.parse(text)
    } catch (error) {
      return `This is not valid JSON. ${error instanceof Error ? error.message : ''}`.trim()
    }
  }
  if (kind === 'number') {
    const isWhole = /^(smallint|integer|bigint)/.test(type)
    if (isWhole && !WHOLE.test(text.trim())) return 'Enter a whole number.'
    if (!isWhole && !NUMBER.test(text.trim()) && !NOT_FINITE.test(text.trim())) return 'Enter a number.'
  }
  if (kind === 'date' && text === '') return 'Enter a date, or choose NULL.'
  return undefined
}
