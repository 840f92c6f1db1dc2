import type { Viewport } from '@xyflow/react'

/** Below this zoom, blocks are boxes with a large name. */
export const FAR_ZOOM = 0.38

/** With more blocks, names are unreadable and text slows down panning. */
export const MAX_NAMED_BLOCKS = 300

const toStorageKey = (dataflow: string) => `trellis.canvas.at.${dataflow}`

/** Per dataflow, so that returning from a block restores the view. */
export function readView(dataflow: string): Viewport | undefined {
  try {
    const { x, y, zoom } = JSON.parse(sessionStorage.getItem(toStorageKey(dataflow)) ?? 'null') as Viewport
    return [x, y, zoom].every(Number.isFinite) && zoom > 0 ? { x, y, zoom } : undefined
  } catch {
    return undefined
  }
}

export function storeView(dataflow: string, view: Viewport): void {
  sessionStorage.setItem(toStorageKey(dataflow), JSON.stringify(view))
}
