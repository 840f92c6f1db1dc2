const MAX_JSON_LENGTH = 1_000_000

/** Indents the text: JSON.parse would round long numbers. */
export function formatJsonText(value: string, type: string): string {
  const isJson = /^jsonb?$/.test(type) || /^[[{]/.test(value)
  if (!isJson || value.length > MAX_JSON_LENGTH) return value
  try {
    JSON.parse(value)
  } catch {
    return value
  }
  return setOut(value)
}

function setOut(text: string): string {
  let out = ''
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (letter === '"') {
      const end = endOfString(text, at)
      out += text.slice(at, end)
      at = end - 1
    } else if (letter === '{' || letter === '[') {
      const close = letter === '{' ? '}' : ']'
      const next = findNextLetter(text, at + 1)
      if (text[next] === close) {
        out += letter + close
        at = next
      } else {
        depth += 1
        out += letter + line()
      }
    } else if (letter === '}' || letter === ']') {
      depth -= 1
      out += line() + letter
    } else if (letter === ',') out += letter + line()
    else if (letter === ':') out += ': '
    else if (!/\s/.test(letter)) out += letter
  }
  return out
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function findNextLetter(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1
  return at
}
