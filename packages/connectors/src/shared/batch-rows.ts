import type { Batch, Value } from '@trellis/connector-kit/batch'

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

export function decodeRows(batch: Batch): readonly (readonly Value[])[] {
  if (batch.kind === 'rows') return batch.rows
  if (batch.kind === 'csv') return batch.rows()
  const lines = new TextDecoder().decode(batch.bytes).split('\n')
  return lines
    .slice(0, -1)
    .map((line) => line.split('\t').map((cell) => (cell === String.raw`\N` ? null : unescapeCell(cell))))
}

const unescapeCell = (cell: string) => cell.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
