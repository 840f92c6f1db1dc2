export interface SplitStatement {
  readonly text: string
  readonly offset: number
}

const isNamePart = (character: string | undefined) => character !== undefined && /[\w$\u0080-\uffff]/.test(character)

export function splitStatements(text: string): SplitStatement[] {
  const statements: SplitStatement[] = []
  let statementStart = 0
  let hasText = false
  let atomicDepth = 0
  let position = 0
  const endStatement = (to: number) => {
    const piece = text.slice(statementStart, to)
    const leadingBlanks = piece.length - piece.trimStart().length
    if (hasText) statements.push({ text: piece.trim(), offset: statementStart + leadingBlanks })
    statementStart = to + 1
    hasText = false
    atomicDepth = 0
  }
  while (position < text.length) {
    const nextPosition = skipBlankOrComment(text, position)
    if (nextPosition > position) {
      position = nextPosition
      continue
    }
    const character = text[position]
    if (character === ';' && atomicDepth === 0) {
      endStatement(position)
      position += 1
      continue
    }
    hasText = true
    const word = /^[a-z_][\w$]*/i.exec(text.slice(position, position + 64))?.[0].toLowerCase()
    if (word !== undefined && !isNamePart(text[position - 1]))
      atomicDepth = computeAtomicDepth(
        atomicDepth,
        word,
        text.slice(Math.max(statementStart, position - 100), position),
      )
    position = skipQuoted(text, position) ?? position + (word?.length ?? 1)
  }
  endStatement(text.length)
  return statements
}

/** BEGIN ATOMIC bodies contain semicolons. */
function computeAtomicDepth(depth: number, word: string, textBefore: string): number {
  if (word === 'atomic' && /\bbegin\s+$/i.test(textBefore)) return depth + 1
  if (depth === 0) return 0
  if (word === 'case') return depth + 1
  return word === 'end' ? depth - 1 : depth
}

function skipBlankOrComment(text: string, start: number): number {
  if (/\s/.test(text[start] ?? '')) return start + 1
  if (text.startsWith('--', start)) {
    const end = text.indexOf('\n', start)
    return end < 0 ? text.length : end + 1
  }
  if (!text.startsWith('/*', start)) return start
  let depth = 0
  let index = start
  do {
    if (text.startsWith('/*', index)) {
      depth += 1
      index += 2
    } else if (text.startsWith('*/', index)) {
      depth -= 1
      index += 2
    } else index += 1
  } while (depth > 0 && index < text.length)
  return index
}

/** Undefined if there is no quote; an unterminated one takes the rest. */
function skipQuoted(text: string, start: number): number | undefined {
  const character = text[start]
  if (character === '"') return findQuoteEnd(text, start + 1, '"')
  if (character === "'") return findQuoteEnd(text, start + 1, "'")
  if ((character === 'e' || character === 'E') && text[start + 1] === "'" && !isNamePart(text[start - 1])) {
    return findEscapedQuoteEnd(text, start + 2)
  }
  if (character !== '$' || isNamePart(text[start - 1])) return undefined
  const tag = /^\$([a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/i.exec(text.slice(start, start + 128))?.[0]
  if (tag === undefined) return undefined
  const end = text.indexOf(tag, start + tag.length)
  return end < 0 ? text.length : end + tag.length
}

function findQuoteEnd(text: string, from: number, quote: string): number {
  for (let position = from; position < text.length; position += 1) {
    if (text[position] !== quote) continue
    if (text[position + 1] !== quote) return position + 1
    position += 1
  }
  return text.length
}

function findEscapedQuoteEnd(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1
    else if (text[position] === "'") {
      if (text[position + 1] !== "'") return position + 1
      position += 1
    }
  }
  return text.length
}

export function getFirstKeyword(statement: string): string {
  let position = 0
  for (;;) {
    const nextPosition = skipBlankOrComment(statement, position)
    if (nextPosition === position) break
    position = nextPosition
  }
  return (/^[a-z]+/i.exec(statement.slice(position))?.[0] ?? '').toUpperCase()
}
