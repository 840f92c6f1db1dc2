export interface SplitStatement {
  readonly text: string
  readonly offset: number
}

const isNamePart = (sign: string | undefined) => sign !== undefined && /[\w$\u0080-\uffff]/.test(sign)

export function splitStatements(text: string): SplitStatement[] {
  const found: SplitStatement[] = []
  let from = 0
  let isFilled = false
  let atomic = 0
  let at = 0
  const end = (to: number) => {
    const piece = text.slice(from, to)
    const lead = piece.length - piece.trimStart().length
    if (isFilled) found.push({ text: piece.trim(), offset: from + lead })
    from = to + 1
    isFilled = false
    atomic = 0
  }
  while (at < text.length) {
    const skipped = skipBlank(text, at)
    if (skipped > at) {
      at = skipped
      continue
    }
    const sign = text[at]
    if (sign === ';' && atomic === 0) {
      end(at)
      at += 1
      continue
    }
    isFilled = true
    const word = /^[a-z_][\w$]*/i.exec(text.slice(at, at + 64))?.[0].toLowerCase()
    if (word !== undefined && !isNamePart(text[at - 1]))
      atomic = depthAfter(atomic, word, text.slice(Math.max(from, at - 100), at))
    at = skipQuoted(text, at) ?? at + (word?.length ?? 1)
  }
  end(text.length)
  return found
}

/** BEGIN ATOMIC bodies contain semicolons. */
function depthAfter(depth: number, word: string, before: string): number {
  if (word === 'atomic' && /\bbegin\s+$/i.test(before)) return depth + 1
  if (depth === 0) return 0
  if (word === 'case') return depth + 1
  return word === 'end' ? depth - 1 : depth
}

function skipBlank(text: string, at: number): number {
  if (/\s/.test(text[at] ?? '')) return at + 1
  if (text.startsWith('--', at)) {
    const end = text.indexOf('\n', at)
    return end < 0 ? text.length : end + 1
  }
  if (!text.startsWith('/*', at)) return at
  let depth = 0
  let index = at
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
function skipQuoted(text: string, at: number): number | undefined {
  const sign = text[at]
  if (sign === '"') return findQuoteEnd(text, at + 1, '"')
  if (sign === "'") return findQuoteEnd(text, at + 1, "'")
  if ((sign === 'e' || sign === 'E') && text[at + 1] === "'" && !isNamePart(text[at - 1])) {
    return findEscapedQuoteEnd(text, at + 2)
  }
  if (sign !== '$' || isNamePart(text[at - 1])) return undefined
  const tag = /^\$([a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/i.exec(text.slice(at, at + 128))?.[0]
  if (tag === undefined) return undefined
  const end = text.indexOf(tag, at + tag.length)
  return end < 0 ? text.length : end + tag.length
}

function findQuoteEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] !== quote) continue
    if (text[at + 1] !== quote) return at + 1
    at += 1
  }
  return text.length
}

function findEscapedQuoteEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === "'") {
      if (text[at + 1] !== "'") return at + 1
      at += 1
    }
  }
  return text.length
}

export function firstWord(statement: string): string {
  let at = 0
  for (;;) {
    const next = skipBlank(statement, at)
    if (next === at) break
    at = next
  }
  return (/^[a-z]+/i.exec(statement.slice(at))?.[0] ?? '').toUpperCase()
}
