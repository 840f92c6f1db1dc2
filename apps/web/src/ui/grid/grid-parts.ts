import { type Cell, HEADER } from './selection.ts'

export interface GridColumn {
  key: string
  title: string
  /** Under the title, the type for instance. */
  note?: string
  isNumber?: boolean
  isBoolean?: boolean
  isJson?: boolean
  canSort?: boolean
  isFiltered?: boolean
}

export interface GridCell {
  text: string | null
  /** There is more to it than the cell shows. */
  isCut?: boolean
  /** A change: one that is not applied yet, or since an earlier result. */
  tone?: 'added' | 'changed' | 'deleted' | undefined
  /** In place of NULL. */
  blank?: string
}

export const ROW = 30
export const HEAD = 44
export const GUTTER = 56

export const cellId = (id: string, { row, column }: Cell): string => `${id}-${row}-${column}`

/** The cell an event happened in. */
export function findCell(target: EventTarget): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
  const [row, column] = (cell?.dataset['cell'] ?? '').split(' ').map(Number)
  return row === undefined || column === undefined ? null : { row, column }
}

type Drawn = readonly { readonly index: number }[]

export const isDrawn = ({ row, column }: Cell, rows: Drawn, columns: Drawn): boolean =>
  (row === HEADER || rows.some(({ index }) => index === row)) && columns.some(({ index }) => index === column)
