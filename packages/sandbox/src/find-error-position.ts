interface Position {
  readonly line: number | null
  readonly column: number | null
}

/** QuickJS does not record property reads, so those are searched from the last known position. */
export function findErrorPosition(code: string, error: { stack: string; message: string }): Position {
  const match = /\bcode\.js:(\d+):(\d+)/.exec(error.stack)
  if (!match) return { line: null, column: null }
  const place = { line: Number(match[1]), column: Number(match[2]) }
  const property = /property '([^']+)' of/.exec(error.message)?.[1]
  if (property !== undefined) return findPosition(code, place, buildAccessPattern(property)) ?? place
  const name = /^ReferenceError: (\S+) is not defined$/.exec(error.message)?.[1]
  if (name !== undefined)
    return findPosition(code, place, new RegExp(String.raw`(?<![\w$.])(${escapeRegExp(name)})(?![\w$])`)) ?? place
  const token = /^SyntaxError: .*: '([^']+)'$/.exec(error.message)?.[1]
  const inLine = token === undefined ? -1 : (code.split('\n')[place.line - 1] ?? '').indexOf(token)
  return inLine >= 0 ? { line: place.line, column: inLine + 1 } : place
}

function findPosition(code: string, from: { line: number; column: number }, what: RegExp): Position | undefined {
  const lines = code.split('\n')
  for (let line = from.line; line <= lines.length; line += 1) {
    const text = lines[line - 1] ?? ''
    const skipped = line === from.line ? from.column - 1 : 0
    const hit = what.exec(text.slice(skipped))
    if (hit) return { line, column: skipped + hit.index + hit[0].indexOf(hit[1] ?? hit[2] ?? '') + 1 }
  }
  return undefined
}

const buildAccessPattern = (property: string) =>
  new RegExp(String.raw`\.\s*(${escapeRegExp(property)})\b|\[\s*['"\x60](${escapeRegExp(property)})['"\x60]`)

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
