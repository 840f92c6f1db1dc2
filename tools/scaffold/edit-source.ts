/** Each edit fails if the file no longer has the expected form. */
export class EditProblem extends Error {}

export function addImport(text: string, line: string): string {
  const last = [...text.matchAll(/^import [^\n]*(?:\n(?![a-z]|\n)[^\n]*)*\n/gm)].at(-1)
  if (!last) throw new EditProblem('no import to put another one after')
  const end = last.index + last[0].length
  return `${text.slice(0, end)}${line}\n${text.slice(end)}`
}

export function addToList(text: string, name: string, item: string): string {
  const start = new RegExp(`\\bconst ${name}\\b[^=]*= \\[`).exec(text)
  if (!start) throw new EditProblem(`no list ${name}`)
  const open = start.index + start[0].length
  const close = closingBracket(text, open)
  const inside = text.slice(open, close).trim().replace(/,$/, '')
  return `${text.slice(0, open)}${inside === '' ? item : `${inside}, ${item}`}${text.slice(close)}`
}

export function addToType(text: string, name: string, type: string): string {
  const match = new RegExp(`^export type ${name} = [^\\n]+(?:\\n +[^\\n]+)*`, 'm').exec(text)
  if (!match) throw new EditProblem(`no type ${name}`)
  const end = match.index + match[0].length
  return `${text.slice(0, end)} & ${type}${text.slice(end)}`
}

export function addToObject(text: string, name: string, lines: string): string {
  const start = text.indexOf(`export const ${name} = {`)
  const end = start === -1 ? -1 : text.indexOf('\n}', start)
  if (end === -1) throw new EditProblem(`no object ${name}`)
  return `${text.slice(0, end)}\n${lines}${text.slice(end)}`
}

function closingBracket(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    if (text[at] === ']') depth -= 1
    if (depth === 0) return at
  }
  throw new EditProblem('a list does not end')
}
