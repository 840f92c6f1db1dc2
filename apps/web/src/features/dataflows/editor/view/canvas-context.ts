import { createContext, useContext } from 'react'

/** What blocks and groups need to know of the canvas they stand on. All of it changes seldom: a change draws every block again. */
export interface CanvasSurroundings {
  canWrite: boolean
  /** Seen from so far away that only the name could be read. */
  isOverview: boolean
  /** From far away, names are drawn large. */
  hasNames: boolean
  now: Date
  onFold: (group: string) => void
}

export const CanvasContext = createContext<CanvasSurroundings>({
  canWrite: false,
  isOverview: false,
  hasNames: false,
  now: new Date(0),
  onFold: () => undefined,
})

export const useSurroundings = (): CanvasSurroundings => useContext(CanvasContext)
