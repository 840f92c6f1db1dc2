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
  for (let index = 0; index < start; index++) lines.push(toSameLine(old, index, index))
  lines.push(...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end), start))
  for (let index = end; index > 0; index--) lines.push(toSameLine(old, old.length - index, now.length - index))
  return lines
}

const toSameLine = (old: readonly string[], index: number, other: number): DiffLine => ({
  before: { number: index + 1, text: old[index] ?? '' },
  after: { number: other + 1, text: old[index] ?? '' },
})

function diffMiddle(old: readonly string[], now: readonly string[], offset: number): DiffLine[] {
  const pairs = old.length * now.length > MAX_LINES * MAX_LINES ? [] : commonLines(old, now)
  const lines: DiffLine[] = []
  let [a, b] = [0, 0]
  for (const [index, other] of [...pairs, [old.length, now.length] as const]) {
    lines.push(...changedLines(old.slice(a, index), now.slice(b, other), { a: a + offset, b: b + offset }))
    if (index < old.length && other < now.length) {
      const text = old[index] ?? ''
      lines.push({ before: { number: index + offset + 1, text }, after: { number: other + offset + 1, text } })
    }
    ;[a, b] = [index + 1, other + 1]
  }
  return lines
}

function changedLines(old: readonly string[], now: readonly string[], from: { a: number; b: number }): DiffLine[] {
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) => ({
    before: index < old.length ? { number: from.a + index + 1, text: old[index] ?? '' } : null,
    after: index < now.length ? { number: from.b + index + 1, text: now[index] ?? '' } : null,
  }))
}

/** Longest common subsequence. */
function commonLines(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const width = now.length + 1
  const best = new Uint32Array((old.length + 1) * width)
  for (let oldIndex = old.length - 1; oldIndex >= 0; oldIndex--) {
    for (let newIndex = now.length - 1; newIndex >= 0; newIndex--) {
      const [right = 0, down = 0, across = 0] = [
        best[oldIndex * width + newIndex + 1],
        best[(oldIndex + 1) * width + newIndex],
        best[(oldIndex + 1) * width + newIndex + 1],
      ]
      best[oldIndex * width + newIndex] = old[oldIndex] === now[newIndex] ? across + 1 : Math.max(right, down)
    }
  }
  const pairs: (readonly [number, number])[] = []
  let [oldIndex, newIndex] = [0, 0]
  while (oldIndex < old.length && newIndex < now.length) {
    if (old[oldIndex] === now[newIndex]) pairs.push([oldIndex++, newIndex++])
    else if ((best[(oldIndex + 1) * width + newIndex] ?? 0) >= (best[oldIndex * width + newIndex + 1] ?? 0))
      oldIndex += 1
    else newIndex += 1
  }
  return pairs
}
