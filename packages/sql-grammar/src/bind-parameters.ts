import { createPositions } from './positions.ts'
import { runScanner } from './run-grammar.ts'

export interface BoundSql {
  readonly text: string
  readonly names: readonly string[]
  readonly pieces: readonly Piece[]
}

interface Piece {
  readonly source: number
  readonly bound: number
  readonly length: number
}

/**
 * `:name` becomes a typed `$n`, so that values never are part of the SQL. Other names stay: `:` is in array slices too.
 */
export async function bindParameters(sql: string, types: ReadonlyMap<string, string>): Promise<BoundSql> {
  const tokens = types.size === 0 ? undefined : await runScanner(sql)
  const { fromBytes } = createPositions(sql)
  const names: string[] = []
  const pieces: Piece[] = []
  let text = ''
  let done = 0
  const copyUntil = (end: number) => {
    pieces.push({ source: done, bound: text.length, length: end - done })
    text += sql.slice(done, end)
    done = end
  }
  for (const [at, token] of (tokens ?? []).entries()) {
    const name = tokens?.[at + 1]
    const type = token.text === ':' && name?.start === token.end ? types.get(name.text) : undefined
    if (!name || type === undefined) continue
    copyUntil(fromBytes(token.start))
    if (!names.includes(name.text)) names.push(name.text)
    pieces.push({ source: done, bound: text.length, length: 0 })
    text += `$${names.indexOf(name.text) + 1}::${type}`
    done = fromBytes(name.end)
  }
  copyUntil(sql.length)
  return { text, names, pieces }
}

/** Maps an offset in the bound SQL back to the original. */
export function toSourceOffset(pieces: readonly Piece[], offset: number): number {
  const piece = pieces.findLast(({ bound }) => bound <= offset)
  return piece ? piece.source + Math.min(piece.length, offset - piece.bound) : offset
}
