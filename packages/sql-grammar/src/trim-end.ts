/** Without semicolons and space at the end. `[;\s]+$` would try every space of a long statement as the first. */
export function trimStatementEnd(sql: string): string {
  let end = sql.length
  while (end > 0 && /[;\s]/.test(sql.charAt(end - 1))) end -= 1
  return sql.slice(0, end)
}
