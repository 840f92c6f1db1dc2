import { quoteName } from '@trellis/sql-grammar/quote-name'

const ROW_LIMIT = 100
const MAX_COLUMNS = 60
const LINE_LENGTH = 80

/** Lists the columns while that stays readable. */
export function buildSelect(table: { schema: string; name: string; columns: readonly string[] }): string {
  const names = table.columns.map(quoteName)
  const inLine = names.join(', ')
  const list =
    names.length === 0 || names.length > MAX_COLUMNS
      ? ' *'
      : inLine.length <= LINE_LENGTH
        ? ` ${inLine}`
        : `\n  ${names.join(',\n  ')}`
  return `select${list}\nfrom ${quoteName(table.schema)}.${quoteName(table.name)}\nlimit ${ROW_LIMIT};\n`
}

/** `orders.sql`, or `orders 2.sql` where that exists. Replaces invalid characters. */
export function findFreeName(table: string, taken: readonly string[]): string {
  const safe =
    table
      .replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')
      .replaceAll(/^ |[ .]+$/g, '')
      .slice(0, 100) || 'table'
  const names = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${safe}.sql` : `${safe} ${number}.sql`
    if (!names.has(name.toLowerCase())) return name
  }
}
