/** The next row a key leads to in a list where some rows can't be chosen; undefined when the key means nothing here. */
export function findNextIndex(key: string, current: number, canChoose: readonly boolean[]): number | undefined {
  const count = canChoose.length
  const walk = (from: number, step: 1 | -1): number | undefined => {
    for (let i = 0, at = (from + count) % count; i < count; i += 1, at = (at + step + count) % count)
      if (canChoose[at]) return at
    return undefined
  }
  if (count === 0) return undefined
  if (key === 'ArrowDown') return walk(current + 1, 1)
  if (key === 'ArrowUp') return walk(current < 0 ? count - 1 : current - 1, -1)
  if (key === 'Home') return walk(0, 1)
  if (key === 'End') return walk(count - 1, -1)
  return undefined
}

/** The next row whose text begins with the letter typed, looking from the row after the current one. */
export function indexByLetter(letter: string, current: number, texts: readonly string[]): number | undefined {
  const wanted = letter.toLowerCase()
  for (let step = 1; step <= texts.length; step += 1) {
    const at = (current + step) % texts.length
    if (texts[at]?.toLowerCase().startsWith(wanted)) return at
  }
  return undefined
}
