import type { Chunk } from './load.ts'

const NEWLINE = 10
const NOTHING = String.raw`\N`
const LETTERS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** 1-based. */
export function findLines(chunk: Pick<Chunk, 'parts' | 'counts'>, numbers: readonly number[]): Map<number, string> {
  const found = new Map<number, string>()
  const wantedNumbers = numbers.toSorted((a, b) => a - b)
  let before = 0
  let next = 0
  for (const [at, part] of chunk.parts.entries()) {
    const count = chunk.counts[at] ?? 0
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    let line = before + 1
    let from = 0
    for (; next < wantedNumbers.length && (wantedNumbers[next] ?? 0) <= before + count; next += 1) {
      const number = wantedNumbers[next] ?? 0
      for (; line < number; line += 1) from = bytes.indexOf(NEWLINE, from) + 1
      found.set(number, bytes.toString('utf8', from, bytes.indexOf(NEWLINE, from)))
    }
    before += count
  }
  return found
}

export const parseLine = (line: string): (string | null)[] =>
  line.split('\t').map((cell) => {
    if (cell === NOTHING) return null
    return cell.includes('\\') ? cell.replaceAll(/\\(.)/gs, (_, letter: string) => LETTERS[letter] ?? letter) : cell
  })

const ESCAPED: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v', '\\': '\\' }

export const formatLine = (cells: readonly (string | null)[]): string =>
  cells
    .map((cell) =>
      cell === null ? NOTHING : cell.replaceAll(/[\b\f\n\r\t\v\\]/g, (sign) => `\\${ESCAPED[sign] ?? sign}`),
    )
    .join('\t')

export function toChunk(lines: readonly string[]): Chunk {
  const text = lines.map((line) => `${line}\n`).join('')
  return { parts: [Buffer.from(text)], counts: [lines.length], rows: lines.length, isLast: false }
}
