import type { QuarantinedRow, SettledQuarantine } from '@trellis/contract/runs/runs.schemas'
import type * as z from 'zod/mini'

export type BadRow = z.infer<typeof QuarantinedRow>
export type Refusal = z.infer<typeof SettledQuarantine>['refused'][number]
export type RowCorrections = Readonly<Record<string, Readonly<Record<string, string | null>>>>

export const toRowKey = (row: { load_id: string; row: number }): string => `${row.load_id}:${row.row}`

/** Setting the original value removes the change. */
export function setCorrection(
  mended: RowCorrections,
  row: BadRow,
  change: { column: string; value: string | null },
): RowCorrections {
  const key = toRowKey(row)
  const { [change.column]: _old, ...others } = mended[key] ?? {}
  const isChanged = (row.values[change.column] ?? null) !== change.value
  const own = isChanged ? { ...others, [change.column]: change.value } : others
  const { [key]: _row, ...rest } = mended
  return Object.keys(own).length > 0 ? { ...rest, [key]: own } : rest
}

export function getCurrentValue(mended: RowCorrections, row: BadRow, column: string): string | null {
  const own = mended[toRowKey(row)]
  return own && column in own ? (own[column] ?? null) : (row.values[column] ?? null)
}

export const listCorrected = (rows: readonly BadRow[], mended: RowCorrections): BadRow[] =>
  rows.filter((row) => row.state === 'waiting' && toRowKey(row) in mended)

export function listColumns(rows: readonly BadRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row.values)))]
}

/** Limit of the endpoint. */
export const MAX_ROWS_PER_CALL = 500

export function toResolveBody(choice: 'send' | 'dismiss', rows: readonly BadRow[], mended: RowCorrections) {
  return {
    choice,
    rows: rows.slice(0, MAX_ROWS_PER_CALL).map((row) => {
      const values = mended[toRowKey(row)]
      return { load_id: row.load_id, row: row.row, ...(choice === 'send' && values && { values: { ...values } }) }
    }),
  }
}
