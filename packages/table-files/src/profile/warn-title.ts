import type { TableStart } from '../detect/table-start.ts'
import type { FileDialect } from '../read/dialect.ts'

const MAX_SHOWN = 80

export function warnTitle(dialect: FileDialect, start: TableStart, given: Partial<FileDialect>): string[] {
  const { titles, tableAbove } = start
  if (tableAbove !== undefined && given.skip_lines === undefined) {
    return [
      `Lines above the table are skipped although they look like rows: ${tableAbove.slice(0, MAX_SHOWN)} To load them, set the lines to skip at the top to 0.`,
    ]
  }
  const title = titles.at(-1)
  if (dialect.has_header || given.has_header !== undefined || !title || dialect.skip_lines === 0) return []
  if (start.names)
    return [
      `The line above the rows names one column less than they have: ${title.slice(0, MAX_SHOWN)} The first column holds the numbers of the rows and has no name.`,
    ]
  return [
    `The line above the rows names fewer columns than they have, so columns are numbered: ${title.slice(0, MAX_SHOWN)}`,
  ]
}
