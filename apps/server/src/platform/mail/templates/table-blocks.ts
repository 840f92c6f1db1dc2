import { cutText } from './cut-text.ts'
import type { MailContent } from './layout.ts'

const MAX_COLUMNS = 6
const MAX_CELL = 60

export interface MailTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** Rows that are not in the mail; nothing when their number is not known. */
  readonly more: number | null
}

/** The beginning of a table, and how much is not shown. */
export function toTableBlocks({ columns, rows, more }: MailTable): MailContent['blocks'] {
  const rest = more === null ? 'There are more rows.' : more > 0 ? `${more} more rows.` : ''
  return [
    {
      kind: 'table',
      columns: columns.slice(0, MAX_COLUMNS).map((name) => cutText(name, MAX_CELL)),
      rows: rows.map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cutText(cell ?? '', MAX_CELL))),
    },
    ...(rest ? [{ kind: 'note', text: rest } as const] : []),
  ]
}
