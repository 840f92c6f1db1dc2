import { createContext, useContext } from 'react'

/** Changes rarely: every change renders all blocks. */
export interface CanvasSurroundings {
  canWrite: boolean
  /** Zoomed out so far that only names are readable. */
  isOverview: boolean
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
