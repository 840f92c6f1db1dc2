const MAX_CELL_CHARACTERS = 2048

export const buildTruncatedCell = (quoted: string) => `left(${quoted}::text, ${MAX_CELL_CHARACTERS + 1})`

/** Postgres counts characters, JavaScript UTF-16 units. */
export function truncateCell(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text
  const characters = Array.from(text)
  return characters.length > MAX_CELL_CHARACTERS ? characters.slice(0, MAX_CELL_CHARACTERS).join('') : text
}
