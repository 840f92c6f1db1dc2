export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }

export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; parts: Inline[] }
  | { kind: 'paragraph' | 'quote'; parts: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }

const MARKS =
  /(`+)([\s\S]+?)\1(?!`)|\*\*([\s\S]+?)\*\*|(?<!\w)[*_]([^\s*_](?:[^*_]*[^\s*_])?)[*_](?!\w)|\[([^\]]+)\]\(([^)\s]+)\)/

/** Other schemes could run script or reach into the person's machine; such a link stays plain text. */
const isSafe = (href: string) => /^(https?:|mailto:|\/(?!\/)|#)/i.test(href)

export function parseInlines(text: string): Inline[] {
  const parts: Inline[] = []
  let rest = text
  // Not by calling itself: a note with thousands of marks would end the page of everybody who opens it.
  for (let match = MARKS.exec(rest); match; match = MARKS.exec(rest)) {
    const [whole, , code, strong, em, label, href] = match
    if (match.index > 0) parts.push({ kind: 'text', text: rest.slice(0, match.index) })
    parts.push(toInline({ whole, code, strong, em, label, href }))
    rest = rest.slice(match.index + whole.length)
  }
  return rest === '' ? parts : [...parts, { kind: 'text', text: rest }]
}

function toInline(found: Record<'whole' | 'code' | 'strong' | 'em' | 'label' | 'href', string | undefined>): Inline {
  if (found.code !== undefined) return { kind: 'code', text: found.code.trim() }
  if (found.strong !== undefined) return { kind: 'strong', parts: parseInlines(found.strong) }
  if (found.em !== undefined) return { kind: 'em', parts: parseInlines(found.em) }
  const { label = '', href = '', whole = '' } = found
  return isSafe(href) ? { kind: 'link', href, parts: parseInlines(label) } : { kind: 'text', text: whole }
}

/** A small part of Markdown, and nothing beside it: HTML in it is shown as the letters it is made of. */
export function parseBlocks(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const take = (test: RegExp) => {
      const from = at
      while (at < lines.length && test.test(lines[at] ?? '')) at += 1
      return lines.slice(from, at)
    }
    const heading = /^(#{1,3})\s+(.+)$/.exec(line)
    if (line.trim() === '') at += 1
    else if (heading) {
      const level = Math.min(3, heading[1]?.length ?? 1) as 1 | 2 | 3
      blocks.push({ kind: 'heading', level, parts: parseInlines(heading[2] ?? '') })
      at += 1
    } else if (line.startsWith('```')) {
      at += 1
      const code = take(/^(?!```)/)
      at += 1
      blocks.push({ kind: 'code', text: code.join('\n') })
    } else if (BULLET.test(line)) blocks.push(toListBlock(take(BULLET_ON), false))
    else if (NUMBER.test(line)) blocks.push(toListBlock(take(NUMBER_ON), true))
    else if (ROW.test(line) && RULE.test(lines[at + 1] ?? '')) {
      const [head = '', , ...rows] = take(ROW)
      blocks.push({ kind: 'table', head: parseCells(head), rows: rows.map(parseCells) })
    } else if (line.startsWith('>')) {
      const quoted = take(/^>/).map((one) => one.replace(/^>\s?/, ''))
      blocks.push({ kind: 'quote', parts: parseInlines(quoted.join('\n')) })
    } else {
      // Taken whatever it is: a line that belongs nowhere else would be looked at for ever.
      at += 1
      blocks.push({ kind: 'paragraph', parts: parseInlines([line, ...take(PLAIN)].join('\n')) })
    }
  }
  return blocks
}

const BULLET = /^\s*[-*+]\s+/
const NUMBER = /^\s*\d+[.)]\s+/
/** An item goes on in the indented lines under it. */
const BULLET_ON = /^(\s*[-*+]\s+|\s{2,}(?!\d+[.)]\s)\S)/
const NUMBER_ON = /^(\s*\d+[.)]\s+|\s{2,}(?![-*+]\s)\S)/
const ROW = /^\s*\|.*\|\s*$/
const RULE = /^\s*\|(\s*:?-+:?\s*\|)+\s*$/
const PLAIN = /^(?!\s*$|#{1,3}\s|```|\s*[-*+]\s|\s*\d+[.)]\s|>)/

function toListBlock(lines: readonly string[], isOrdered: boolean): Block {
  const mark = isOrdered ? NUMBER : BULLET
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  return { kind: 'list', isOrdered, items: items.map(parseInlines) }
}

/** A bar with a backslash before it belongs to the cell. */
function parseCells(row: string): Inline[][] {
  const inner = row.trim().slice(1, -1)
  return inner.split(/(?<!\\)\|/).map((cell) => parseInlines(cell.trim().replaceAll('\\|', '|')))
}
