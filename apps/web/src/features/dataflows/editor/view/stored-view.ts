import type { Viewport } from '@xyflow/react'

/** Farther away than this names can't be read, and blocks are drawn as plain boxes. */
export const FAR_ZOOM = 0.38

const keyOf = (dataflow: string) => `trellis.canvas.at.${dataflow}`

/** Coming back from a block's page shows the canvas as it was left. */
export function readView(dataflow: string): Viewport | undefined {
  try {
    const { x, y, zoom } = JSON.parse(sessionStorage.getItem(keyOf(dataflow)) ?? 'null') as Viewport
    return [x, y, zoom].every(Number.isFinite) && zoom > 0 ? { x, y, zoom } : undefined
  } catch {
    return undefined
  }
}

export function storeView(dataflow: string, view: Viewport): void {
  sessionStorage.setItem(keyOf(dataflow), JSON.stringify(view))
}
