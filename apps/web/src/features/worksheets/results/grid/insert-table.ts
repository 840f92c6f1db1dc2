/** The single table a query reads, or a placeholder. */
export function guessInsertTable(sql: string): string {
  const plain = sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, ' ')
  const name = String.raw`(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)`
  const tables = [
    ...plain.matchAll(new RegExp(String.raw`\b(?:from|join)\s+(${name}(?:\.${name})?)(?![\w$\"]|\s*[.(])`, 'gi')),
  ]
  const [only] = tables
  return only?.[1] !== undefined && tables.length === 1 ? only[1] : 'my_table'
}
