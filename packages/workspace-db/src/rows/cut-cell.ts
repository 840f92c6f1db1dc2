/** The preview shows this many characters of a cell; the whole one is asked for by itself. */
const CELL_CHARACTERS = 2048

/** One character more than shown is read, to know that there are more. */
export const readCell = (quoted: string) => `left(${quoted}::text, ${CELL_CHARACTERS + 1})`

/** Postgres counts characters where JavaScript counts halves of some. */
export function cutCell(text: string): string {
  if (text.length <= CELL_CHARACTERS) return text
  const characters = Array.from(text)
  return characters.length > CELL_CHARACTERS ? characters.slice(0, CELL_CHARACTERS).join('') : text
}
