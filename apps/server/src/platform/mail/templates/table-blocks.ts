import { formatValue } from '@trellis/contract/charts/format-value'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { truncateText } from './cut-text.ts'
import type { MailContent } from './layout.ts'

const MAX_COLUMNS = 6
const MAX_CELL = 60

export interface MailTable {
  readonly columns: readonly Pick<ResultColumn, 'name' | 'kind'>[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly more: number | null
}

export function toTableBlocks({ columns, rows, more }: MailTable): MailContent['blocks'] {
  const rest = more === null ? 'There are more rows.' : more > 0 ? `${more} more rows.` : ''
  const shown = columns.slice(0, MAX_COLUMNS).map(({ name, kind }) => ({
    name: truncateText(name, MAX_CELL),
    isNumber: kind === 'integer' || kind === 'decimal',
  }))
  return [
    {
      kind: 'table',
      columns: shown,
      rows: rows.map((row) => shown.map(({ isNumber }, at) => toText(row[at] ?? '', isNumber))),
    },
    ...(rest ? [{ kind: 'note', text: rest } as const] : []),
  ]
}

/** Numbers beyond double precision stay as they are. */
function toText(cell: string, isNumber: boolean): string {
  const value = Number(cell)
  const isExact = isNumber && cell !== '' && Number.isSafeInteger(Math.trunc(value))
  return isExact ? formatValue(value) : truncateText(cell, MAX_CELL)
}
