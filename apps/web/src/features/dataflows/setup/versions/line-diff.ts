export interface DiffLine {
  before: { number: number; text: string } | null
  after: { number: number; text: string } | null
}

/** Longer texts are shown without a diff: the LCS table is quadratic. */
const MAX_LINES = 2000

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const lines: DiffLine[] = []
  for (let at = 0; at < start; at++) lines.push(toSameLine(old, at, at))
  lines.push(...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end), start))
  for (let at = end; at > 0; at--) lines.push(toSameLine(old, old.length - at, now.length - at))
  return lines
}

const toSameLine = (old: readonly string[], at: number, other: number): DiffLine => ({
  before: { number: at + 1, text: old[at] ?? '' },
  after: { number: other + 1, text: old[at] ?? '' },
})

function diffMiddle(old: readonly string[], now: readonly string[], offset: number): DiffLine[] {
  const pairs = old.length * now.length > MAX_LINES * MAX_LINES ? [] : commonLines(old, now)
  const lines: DiffLine[] = []
  let [a, b] = [0, 0]
  for (const [at, other] of [...pairs, [old.length, now.length] as const]) {
    lines.push(...changedLines(old.slice(a, at), now.slice(b, other), { a: a + offset, b: b + offset }))
    if (at < old.length && other < now.length) {
      const text = old[at] ?? ''
      lines.push({ before: { number: at + offset + 1, text }, after: { number: other + offset + 1, text } })
    }
    ;[a, b] = [at + 1, other + 1]
  }
  return lines
}

function changedLines(old: readonly string[], now: readonly string[], from: { a: number; b: number }): DiffLine[] {
  return Array.from({ length: Math.max(old.length, now.length) }, (_, at) => ({
    before: at < old.length ? { number: from.a + at + 1, text: old[at] ?? '' } : null,
    after: at < now.length ? { number: from.b + at + 1, text: now[at] ?? '' } : null,
  }))
}

/** Longest common subsequence. */
function commonLines(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const width = now.length + 1
  const best = new Uint32Array((old.length + 1) * width)
  for (let at = old.length - 1; at >= 0; at--) {
    for (let other = now.length - 1; other >= 0; other--) {
      const [right = 0, down = 0, across = 0] = [
        best[at * width + other + 1],
        best[(at + 1) * width + other],
        best[(at + 1) * width + other + 1],
      ]
      best[at * width + other] = old[at] === now[other] ? across + 1 : Math.max(right, down)
    }
  }
  const pairs: (readonly [number, number])[] = []
  let [at, other] = [0, 0]
  while (at < old.length && other < now.length) {
    if (old[at] === now[other]) pairs.push([at++, other++])
    else if ((best[(at + 1) * width + other] ?? 0) >= (best[at * width + other + 1] ?? 0)) at += 1
    else other += 1
  }
  return pairs
}
