import type { Chunk } from './load.ts'

const NEWLINE = 10
const COPY_NULL = String.raw`\N`
const UNESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** 1-based. */
export function findLinesByNumber(
  chunk: Pick<Chunk, 'parts' | 'counts'>,
  numbers: readonly number[],
): Map<number, string> {
  const lineByNumber = new Map<number, string>()
  const wantedNumbers = numbers.toSorted((a, b) => a - b)
  let linesBefore = 0
  let nextIndex = 0
  for (const [index, part] of chunk.parts.entries()) {
    const count = chunk.counts[index] ?? 0
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    let lineNumber = linesBefore + 1
    let lineStart = 0
    for (; nextIndex < wantedNumbers.length && (wantedNumbers[nextIndex] ?? 0) <= linesBefore + count; nextIndex += 1) {
      const number = wantedNumbers[nextIndex] ?? 0
      for (; lineNumber < number; lineNumber += 1) lineStart = bytes.indexOf(NEWLINE, lineStart) + 1
      lineByNumber.set(number, bytes.toString('utf8', lineStart, bytes.indexOf(NEWLINE, lineStart)))
    }
    linesBefore += count
  }
  return lineByNumber
}

export const parseLine = (lineNumber: string): (string | null)[] =>
  lineNumber.split('\t').map((cell) => {
    if (cell === COPY_NULL) return null
    return cell.includes('\\') ? cell.replaceAll(/\\(.)/gs, (_, letter: string) => UNESCAPED[letter] ?? letter) : cell
  })

const ESCAPED_LETTERS: Record<string, string> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '\\': '\\',
}

export const formatLine = (cells: readonly (string | null)[]): string =>
  cells
    .map((cell) =>
      cell === null
        ? COPY_NULL
        : cell.replaceAll(/[\b\f\n\r\t\v\\]/g, (character) => `\\${ESCAPED_LETTERS[character] ?? character}`),
    )
    .join('\t')

export function toChunk(lines: readonly string[]): Chunk {
  const text = lines.map((lineNumber) => `${lineNumber}\n`).join('')
  return { parts: [Buffer.from(text)], counts: [lines.length], rows: lines.length, isLast: false }
}
