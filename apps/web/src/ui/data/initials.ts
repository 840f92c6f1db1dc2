/** One or two letters for a round picture; whole characters, so that no emoji is cut in half. */
export function toInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words
  return (
    picked
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toUpperCase() || '?'
  )
}

/** The same name always gets the same of the eight chart colours. */
export function toColour(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8191
  return `var(--chart-${sum % 8})`
}
