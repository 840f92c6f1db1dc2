/** Edit distance of at most a third of its letters. */
export function findNearestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const item of names) {
    const limit = Math.min(
      best ? best.distance - 1 : Infinity,
      Math.max(wanted.length > 1 ? 1 : 0, Math.floor(Math.max(wanted.length, item.length) / 3)),
    )
    if (Math.abs(item.length - wanted.length) > limit) continue
    const distance = countEdits(wanted, item.toLowerCase(), limit)
    if (distance <= limit) best = { name: item, distance }
    if (distance === 0) break
  }
  return best?.name
}

/** Damerau-Levenshtein distance, up to `limit`. */
function countEdits(a: string, b: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > limit) return least
    before = previous
    previous = row
  }
  return previous[b.length] ?? limit + 1
}
