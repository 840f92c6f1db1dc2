import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Places } from '../model/changes.ts'

/** Unsaved positions win over the server's. */
export function withPlaces(canvas: Canvas, places: Places): Canvas {
  if (Object.keys(places).length === 0) return canvas
  return {
    ...canvas,
    blocks: canvas.blocks.map((block) => {
      const moved = places[block.task_block_trellis_code]
      return moved ? { ...block, metadata: { ...block.metadata, ...moved } } : block
    }),
  }
}

export function mergePlaces(oldPlaces: Places, more: Places): Places {
  const next = { ...oldPlaces }
  for (const [code, metadata] of Object.entries(more)) next[code] = { ...next[code], ...metadata }
  return next
}
