import { createPositions } from './positions.ts'
import { runScanner } from './run-grammar.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** The scanner takes ten times as long as the parser; an editor cuts far shorter texts. */
const MAX_SPLIT_LENGTH = 200_000

/** Where statements begin and end, without the semicolons and comments around them. Nothing when a quote or comment is left open. */
export async function splitStatements(sql: string): Promise<Span[] | undefined> {
  const tokens = sql.length > MAX_SPLIT_LENGTH ? undefined : await runScanner(sql)
  if (!tokens) return undefined
  const { fromBytes } = createPositions(sql)
  const spans: Span[] = []
  const depth = createDepth()
  let current: Span | undefined
  const finish = () => {
    if (current) spans.push({ start: fromBytes(current.start), end: fromBytes(current.end) })
    current = undefined
  }
  for (const { start, end, text, tokenName } of tokens) {
    if (tokenName.endsWith('_COMMENT')) continue
    if (text === ';' && depth.isOutside()) finish()
    else {
      depth.meet(text.toLowerCase())
      current = { start: current?.start ?? start, end }
    }
  }
  finish()
  return spans
}

/** Semicolons within parentheses (rules) and in the body of a function in standard SQL end no statement. */
function createDepth(): { isOutside(): boolean; meet(word: string): void } {
  let parentheses = 0
  let bodies = 0
  let previous = ''
  return {
    isOutside() {
      if (parentheses > 0 || bodies > 0) return false
      parentheses = 0
      return true
    },
    meet(word) {
      if (word === '(') parentheses += 1
      if (word === ')') parentheses -= 1
      const isBody = word === 'atomic' && previous === 'begin'
      if (isBody || (word === 'case' && bodies > 0)) bodies += 1
      if (word === 'end' && bodies > 0) bodies -= 1
      previous = word
    },
  }
}
