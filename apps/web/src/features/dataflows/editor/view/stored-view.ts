import type { Viewport } from '@xyflow/react'

/** Farther away than this blocks are drawn as plain boxes with nothing but a large name. */
export const FAR_ZOOM = 0.38

/** With more blocks all of them in sight are too small for any name, and text is what makes panning slow. */
export const MAX_NAMED_BLOCKS = 300

const toStorageKey = (dataflow: string) => `trellis.canvas.at.${dataflow}`

/** Coming back from a block's page shows the canvas as it was left. */
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
