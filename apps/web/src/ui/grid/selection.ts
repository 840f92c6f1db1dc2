export interface Cell {
  /** -1 is the header. */
  row: number
  column: number
}
export interface Selection {
  anchor: Cell
  focus: Cell
}
export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}
export interface GridSize {
  rows: number
  columns: number
  /** Rows that are seen at once. */
  page: number
}
export interface Stroke {
  key: string
  shiftKey: boolean
  isMod: boolean
}

export const HEADER = -1

export const selectCell = (row: number, column: number): Selection => ({
  anchor: { row, column },
  focus: { row, column },
})

export function toRange({ anchor, focus }: Selection): Range {
  return {
    top: Math.min(anchor.row, focus.row),
    bottom: Math.max(anchor.row, focus.row),
    left: Math.min(anchor.column, focus.column),
    right: Math.max(anchor.column, focus.column),
  }
}

export function cellCount({ top, bottom, left, right }: Range): number {
  return (bottom - top + 1) * (right - left + 1)
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))

function findTargetCell({ row, column }: Cell, { key, isMod }: Stroke, size: GridSize): Cell | null {
  const lastRow = size.rows - 1
  const lastColumn = size.columns - 1
  switch (key) {
    case 'ArrowDown':
      return { row: isMod ? lastRow : row + 1, column }
    case 'ArrowUp':
      return { row: isMod ? Math.min(row, 0) : row - 1, column }
    case 'ArrowRight':
      return { row, column: isMod ? lastColumn : column + 1 }
    case 'ArrowLeft':
      return { row, column: isMod ? 0 : column - 1 }
    case 'PageDown':
      return { row: row + size.page, column }
    case 'PageUp':
      return { row: Math.max(0, row - size.page), column }
    case 'Home':
      return { row: isMod ? 0 : row, column: 0 }
    case 'End':
      return { row: isMod ? lastRow : row, column: lastColumn }
    default:
      return null
  }
}

/** The selection after a key, or null when the key means nothing here. With Shift it grows; a range never takes in the header. */
export function moveSelection(selection: Selection, stroke: Stroke, size: GridSize): Selection | null {
  if (stroke.isMod && stroke.key.toLowerCase() === 'a') {
    if (size.rows === 0) return selection
    return { anchor: { row: 0, column: 0 }, focus: { row: size.rows - 1, column: size.columns - 1 } }
  }
  const wantedCell = findTargetCell(selection.focus, stroke, size)
  if (!wantedCell) return null
  const first = stroke.shiftKey && selection.anchor.row !== HEADER ? 0 : HEADER
  const focus = {
    row: clamp(wantedCell.row, first, Math.max(first, size.rows - 1)),
    column: clamp(wantedCell.column, 0, Math.max(0, size.columns - 1)),
  }
  return stroke.shiftKey && focus.row !== HEADER ? { anchor: selection.anchor, focus } : { anchor: focus, focus }
}

export function isIn({ row, column }: Cell, selection: Selection): boolean {
  const { top, bottom, left, right } = toRange(selection)
  return row >= top && row <= bottom && column >= left && column <= right
}

/** After a filter there may be fewer rows than were chosen from. */
export function inRows(selection: Selection, rows: number): Selection {
  const { anchor, focus } = selection
  return Math.max(anchor.row, focus.row) < rows ? selection : selectCell(Math.min(focus.row, 0), focus.column)
}

export type GridAct = 'copy' | 'open' | 'sort' | 'reset' | 'menu' | 'narrower' | 'wider'

/** Keys that do something with the cell one is in. */
export function findAction(stroke: Stroke & { altKey: boolean }, isHeader: boolean): GridAct | null {
  const { key, shiftKey, altKey, isMod } = stroke
  if (altKey) return !shiftKey ? null : key === 'ArrowLeft' ? 'narrower' : key === 'ArrowRight' ? 'wider' : null
  if (isMod) return key.toLowerCase() === 'c' ? 'copy' : null
  if (key === 'Enter') return isHeader ? 'sort' : 'open'
  if (key === 'Escape') return 'reset'
  return key === 'ContextMenu' || (key === 'F10' && shiftKey) ? 'menu' : null
}
