import { useRef, useState } from 'react'

const NARROWEST = 56
const WIDEST = 900
const FIRST_WIDEST = 320
const PER_LETTER = 7.4
const AROUND = 30

/** Wide enough for what is known of the column, within reason. */
function fittingWidth(title: string, cells: readonly (string | null)[], widest = WIDEST): number {
  const letters = Math.max(title.length + 2, ...cells.map((cell) => Math.min(cell?.length ?? 4, 200)))
  return Math.round(Math.min(widest, Math.max(NARROWEST + 24, letters * PER_LETTER + AROUND)))
}

interface WidthSources {
  columns: readonly { key: string; title: string; note?: string | undefined }[]
  sample: (column: number) => readonly (string | null)[]
  /** What a header needs beside its texts. */
  headerExtra: number
}

/** Widths by name, so that sorting and filtering leave them as they were dragged. */
export function useColumnWidths({ columns, sample, headerExtra }: WidthSources) {
  const [dragged, setDragged] = useState<Readonly<Record<string, number>>>({})
  // The first page decides: widths that change while one scrolls would move everything under the eye.
  const first = useRef(new Map<string, number>())
  const measureFirstWidth = ({ key, title, note = '' }: WidthSources['columns'][number], at: number) => {
    const known = first.current.get(key)
    if (known !== undefined) return known
    const cells = sample(at)
    const header = Math.max((title.length + 2) * PER_LETTER, note.length * 6.8) + AROUND + headerExtra
    const width = Math.max(fittingWidth(title, cells, FIRST_WIDEST), Math.round(Math.min(FIRST_WIDEST, header)))
    if (cells.length > 0) first.current.set(key, width)
    return width
  }
  const widths = columns.map((column, at) => dragged[column.key] ?? measureFirstWidth(column, at))
  const setWidth = (key: string, width: number) =>
    setDragged((old) => ({ ...old, [key]: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))) }))
  const fit = (at: number) => {
    const column = columns[at]
    if (column) setWidth(column.key, fittingWidth(column.title, sample(at)))
  }
  return { widths, setWidth, fit }
}
