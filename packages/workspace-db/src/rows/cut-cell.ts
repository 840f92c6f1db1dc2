const CELL_CHARACTERS = 2048

export const readCell = (quoted: string) => `left(${quoted}::text, ${CELL_CHARACTERS + 1})`

/** Postgres counts characters, JavaScript UTF-16 units. */
export function truncateCell(text: string): string {
  if (text.length <= CELL_CHARACTERS) return text
  const characters = Array.from(text)
  return characters.length > CELL_CHARACTERS ? characters.slice(0, CELL_CHARACTERS).join('') : text
}
