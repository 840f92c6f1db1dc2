import type { DocumentText } from './document-text.ts'

export interface Passage {
  readonly page: number | null
  readonly heading: string | null
  readonly text: string
}

const PASSAGE_CHARACTERS = 1200
const MAX_HEADING = 200
const HEADING = /^#{1,6}\s+(.+)$/

/** Invisible characters can hide a prompt injection, and Postgres cannot store NUL. */
const cleanText = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' || character === '\t' ? character : ''))

interface SplitText extends DocumentText {
  readonly isTable: boolean
}

/** Splits at paragraphs or sentences; each passage carries its heading. */
export function splitPassages(
  { pages, isMarkdown, isTable }: SplitText,
  maxCharacters: number,
): { passages: Passage[]; isCut: boolean } {
  const passages: Passage[] = []
  let left = maxCharacters
  let isCut = false
  for (const { number, text } of pages) {
    const cleaned = cleanText(text)
    isCut ||= cleaned.length > left
    if (left <= 0) break
    const part = cleaned.slice(0, left)
    passages.push(...(isTable ? splitTable(part) : splitPage(part, number, isMarkdown)))
    left -= cleaned.length
  }
  return { passages, isCut }
}

function splitPage(text: string, page: number | null, isMarkdown: boolean): Passage[] {
  const passages: Passage[] = []
  let heading: string | null = null
  let current = ''
  const flush = () => {
    if (current.trim()) passages.push({ page, heading, text: current.trim() })
    current = ''
  }
  for (const block of text.split(/\n/).flatMap((line) => splitLine(line))) {
    const found = isMarkdown ? HEADING.exec(block)?.[1] : undefined
    if (found !== undefined) {
      flush()
      heading = found.trim().slice(0, MAX_HEADING)
      continue
    }
    if (current.length + block.length > PASSAGE_CHARACTERS) flush()
    current += `${block}\n`
  }
  flush()
  return passages
}

function splitTable(text: string): Passage[] {
  const [first = '', ...rows] = text.trim().split('\n')
  if (rows.length === 0) return splitPage(first, null, false)
  const heading = first.trim().slice(0, MAX_HEADING)
  return splitPage(rows.join('\n'), null, false).map((passage) => ({ ...passage, heading }))
}

function splitLine(line: string): string[] {
  const parts: string[] = []
  let rest = line
  while (rest.length > PASSAGE_CHARACTERS) {
    const head = rest.slice(0, PASSAGE_CHARACTERS)
    const at = Math.max(head.lastIndexOf('. '), head.lastIndexOf('? '), head.lastIndexOf('! ')) + 1
    const end = at > PASSAGE_CHARACTERS / 2 ? at : head.lastIndexOf(' ') > 0 ? head.lastIndexOf(' ') : head.length
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest]
}
