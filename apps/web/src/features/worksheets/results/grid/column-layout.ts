export interface ColumnLayout {
  readonly order: readonly number[]
  readonly hidden: readonly number[]
  readonly pinned: number
}

export const createLayout = (count: number): ColumnLayout => ({
  order: Array.from({ length: count }, (_, at) => at),
  hidden: [],
  pinned: 0,
})

export const listShown = ({ order, hidden }: ColumnLayout): number[] => order.filter((at) => !hidden.includes(at))

/** Pinned columns come first; a column moves within its group. */
export function moveColumn(layout: ColumnLayout, column: number, by: -1 | 1): ColumnLayout {
  const shown = listShown(layout)
  const from = shown.indexOf(column)
  const other = shown[from + by]
  const isAmongOwn = from < layout.pinned === from + by < layout.pinned
  if (from === -1 || other === undefined || !isAmongOwn) return layout
  const swap = (at: number) => (at === column ? other : at === other ? column : at)
  return { ...layout, order: layout.order.map(swap) }
}

export function hideColumn(layout: ColumnLayout, column: number): ColumnLayout {
  const shown = listShown(layout)
  if (shown.length === 1) return layout
  const isPinned = shown.indexOf(column) < layout.pinned
  return { ...layout, hidden: [...layout.hidden, column], pinned: layout.pinned - (isPinned ? 1 : 0) }
}

export function togglePin(layout: ColumnLayout, column: number): ColumnLayout {
  const shown = listShown(layout)
  const isPinned = shown.indexOf(column) < layout.pinned
  const pinned = shown.slice(0, layout.pinned).filter((at) => at !== column)
  const rest = shown.slice(layout.pinned).filter((at) => at !== column)
  return {
    order: [...pinned, column, ...rest, ...layout.hidden],
    hidden: layout.hidden,
    pinned: pinned.length + (isPinned ? 0 : 1),
  }
}
