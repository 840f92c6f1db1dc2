import type { TableStart } from '../detect/table-start.ts'
import type { FileDialect } from '../read/dialect.ts'

/** A line that is taken for a title although no header follows may as well be a row with gaps. */
export function warnTitle(dialect: FileDialect, start: TableStart, given: Partial<FileDialect>): string[] {
  const title = start.titles.at(-1)
  if (dialect.has_header || given.has_header !== undefined || !title || dialect.skip_lines === 0) return []
  return [`The line above the rows names fewer columns than they have, so columns are numbered: ${title.slice(0, 80)}`]
}
