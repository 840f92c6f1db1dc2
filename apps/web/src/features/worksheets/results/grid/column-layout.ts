export interface ColumnLayout {
  readonly order: readonly number[]
  readonly hidden: readonly number[]
  readonly pinnedCount: number
}

export const createLayout = (count: number): ColumnLayout => ({
  order: Array.from({ length: count }, (_, index) => index),
  hidden: [],
  pinnedCount: 0,
})

export const listShownColumns = ({ order, hidden }: ColumnLayout): number[] =>
  order.filter((index) => !hidden.includes(index))

/** Pinned columns come first; a column moves within its group. */
export function moveColumn(layout: ColumnLayout, column: number, step: -1 | 1): ColumnLayout {
  const shownColumns = listShownColumns(layout)
  const from = shownColumns.indexOf(column)
  const neighbor = shownColumns[from + step]
  const staysInGroup = from < layout.pinnedCount === from + step < layout.pinnedCount
  if (from === -1 || neighbor === undefined || !staysInGroup) return layout
  const swap = (index: number) => (index === column ? neighbor : index === neighbor ? column : index)
  return { ...layout, order: layout.order.map(swap) }
}

export function hideColumn(layout: ColumnLayout, column: number): ColumnLayout {
  const shownColumns = listShownColumns(layout)
  if (shownColumns.length === 1) return layout
  const isPinned = shownColumns.indexOf(column) < layout.pinnedCount
  return { ...layout, hidden: [...layout.hidden, column], pinnedCount: layout.pinnedCount - (isPinned ? 1 : 0) }
}

export function togglePin(layout: ColumnLayout, column: number): ColumnLayout {
  const shownColumns = listShownColumns(layout)
  const isPinned = shownColumns.indexOf(column) < layout.pinnedCount
  const pinnedColumns = shownColumns.slice(0, layout.pinnedCount).filter((index) => index !== column)
  const unpinnedColumns = shownColumns.slice(layout.pinnedCount).filter((index) => index !== column)
  return {
    order: [...pinnedColumns, column, ...unpinnedColumns, ...layout.hidden],
    hidden: layout.hidden,
    pinnedCount: pinnedColumns.length + (isPinned ? 0 : 1),
  }
}
