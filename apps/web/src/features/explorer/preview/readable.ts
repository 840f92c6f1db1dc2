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
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] ?? ''
    if (letter === '"') {
      const end = endOfString(text, index)
      out += text.slice(index, end)
      index = end - 1
    } else if (letter === '{' || letter === '[') {
      const close = letter === '{' ? '}' : ']'
      const next = findNextLetter(text, index + 1)
      if (text[next] === close) {
        out += letter + close
        index = next
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
  let index = from + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}

function findNextLetter(text: string, from: number): number {
  let index = from
  while (index < text.length && /\s/.test(text[index] ?? '')) index += 1
  return index
}
