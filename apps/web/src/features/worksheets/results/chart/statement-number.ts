/** Counts the statements before it, ignoring semicolons in quotes, comments and dollar quotes. */
export function getStatementNumber(text: string, start: number): number {
  const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;/g
  let number = 0
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (index >= start) break
    if (part === ';') number += 1
  }
  return number
}
