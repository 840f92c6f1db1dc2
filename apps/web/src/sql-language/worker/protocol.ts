import type { CataloguePage } from '@trellis/contract/explorer/catalogue.endpoints'
import type { CompletionAnswer } from '../complete/complete.ts'
import type { Snippet } from '../complete/snippets.ts'
import type { FormatAnswer, FormatOptions } from '../format/format.ts'
import type { Diagnostic } from '../inspect/diagnose.ts'
import type { HoverAnswer } from '../inspect/hover.ts'
import type { SignatureAnswer } from '../inspect/signature.ts'
import type { Span } from '@trellis/sql-grammar/split'

interface TextPosition {
  readonly database: string
  readonly sql: string
  readonly offset: number
}

export interface Questions {
  addPage: { ask: { database: string; page: CataloguePage; isFirst: boolean; isLast: boolean }; answer: null }
  complete: { ask: TextPosition & { snippets: readonly Snippet[] }; answer: CompletionAnswer }
  describe: { ask: TextPosition; answer: HoverAnswer | null }
  findSignature: { ask: TextPosition; answer: SignatureAnswer | null }
  diagnose: { ask: { database: string; sql: string }; answer: readonly Diagnostic[] }
  format: { ask: { sql: string; options: FormatOptions }; answer: FormatAnswer }
  findStatement: { ask: { sql: string; offset: number }; answer: Span | null }
}

export type QuestionKind = keyof Questions

export type Question = {
  [Kind in QuestionKind]: { readonly id: number; readonly kind: Kind; readonly ask: Questions[Kind]['ask'] }
}[QuestionKind]

export type Reply =
  | { readonly id: number; readonly answer: Questions[QuestionKind]['answer'] }
  | { readonly id: number; readonly problem: string }
