import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'

const MAX_BARS = 12

interface Bars {
  readonly title: string
  readonly bars: readonly { readonly label: string; readonly value: string; readonly percent: number }[]
}

/** For mail, which cannot run scripts; undefined if the chart cannot be shown as bars. */
export function toBars(parts: readonly MessagePart[]): Bars | undefined {
  const at = parts.findLastIndex((part) => part.kind === 'chart')
  const part = parts[at]
  const table = parts.slice(0, Math.max(0, at)).findLast((candidate) => candidate.kind === 'table')
  if (part?.kind !== 'chart' || table?.kind !== 'table') return undefined
  const { x, y, kind, title } = part.chart
  const [measure] = y
  if (kind === 'big_number' || kind === 'scatter' || x === null || !measure?.column) return undefined
  const find = (name: string) => table.columns.findIndex((column) => column.name === name)
  const [label, value] = [find(x), find(measure.column)]
  if (label < 0 || value < 0) return undefined
  const rows = kind === 'line' || kind === 'area' ? table.rows.slice(-MAX_BARS) : table.rows.slice(0, MAX_BARS)
  const amounts = rows.map((row) => Number(row[value] ?? 0))
  const largest = Math.max(...amounts)
  if (rows.length < 2 || !(largest > 0) || amounts.some((amount) => !(amount >= 0))) return undefined
  return {
    title: title || `${measure.column} by ${x}`,
    bars: rows.map((row, index) => ({
      label: row[label] ?? '(empty)',
      value: row[value] ?? '',
      percent: (100 * (amounts[index] ?? 0)) / largest,
    })),
  }
}
