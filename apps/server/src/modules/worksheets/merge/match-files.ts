import { getName } from './paths.ts'
import type { PublishedFile, Tree } from './trees.ts'

/** Limits the quadratic comparison. */
const MAX_COMPARED = 40
const MIN_SIMILARITY = 0.5

export interface MatchInput {
  readonly before: Tree
  readonly after: ReadonlyMap<string, string>
  readonly hints?: ReadonlyMap<string, string>
  readonly readText: (blob: string) => string | undefined
  readonly newId: () => string
}

/** Git has no file ids: matches by path, then renames by similarity. */
export function matchFiles({ before, after, hints, readText, newId }: MatchInput): Map<string, PublishedFile> {
  const tree = new Map<string, PublishedFile>()
  const came = new Map(after)
  const idByPath = new Map([...before].map(([fileId, { path }]) => [path, fileId]))
  const take = (fileId: string, path: string) => {
    tree.set(fileId, { path, blob: after.get(path) ?? '' })
    came.delete(path)
  }
  for (const path of after.keys()) {
    const fileId = idByPath.get(path)
    if (fileId !== undefined) take(fileId, path)
  }
  const gone = () => [...before].filter(([fileId]) => !tree.has(fileId))
  for (const [fileId, { path: old, blob }] of gone()) {
    const same = [...came].filter(([, other]) => other === blob).map(([path]) => path)
    const match = same.find((path) => getName(path) === getName(old)) ?? same[0]
    if (match !== undefined) take(fileId, match)
  }
  if (gone().length <= MAX_COMPARED && came.size <= MAX_COMPARED) {
    for (const [fileId, { blob }] of gone()) {
      const match = findSimilar(readText(blob), came, readText)
      if (match !== undefined) take(fileId, match)
    }
  }
  for (const path of came.keys()) {
    const hint = hints?.get(path)
    take(hint !== undefined && !tree.has(hint) && !before.has(hint) ? hint : newId(), path)
  }
  return tree
}

function findSimilar(
  text: string | undefined,
  candidates: ReadonlyMap<string, string>,
  readText: (blob: string) => string | undefined,
): string | undefined {
  if (text === undefined) return undefined
  let best: { path: string; score: number } | undefined
  for (const [path, blob] of candidates) {
    const other = readText(blob)
    const score = other === undefined ? 0 : computeSimilarity(text, other)
    if (score >= MIN_SIMILARITY && score > (best?.score ?? 0)) best = { path, score }
  }
  return best?.path
}

function computeSimilarity(left: string, right: string): number {
  const counts = new Map<string, number>()
  const [lines, others] = [left.split('\n'), right.split('\n')]
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of others) {
    const count = counts.get(line) ?? 0
    if (count > 0) shared += 1
    counts.set(line, count - 1)
  }
  return shared / Math.max(lines.length, others.length)
}
