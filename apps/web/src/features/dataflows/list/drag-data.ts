import type { DragEvent } from 'react'

/** During dragover browsers reveal only the type, not the data. */
const DRAGGED = { dataflow: 'application/x-trellis-dataflow', folder: 'application/x-trellis-folder' } as const
export type DraggedKind = keyof typeof DRAGGED

export function startDrag(event: DragEvent, kind: DraggedKind, code: string): void {
  event.dataTransfer.setData(DRAGGED[kind], code)
  event.dataTransfer.effectAllowed = 'move'
}

export const isOurs = (event: DragEvent): boolean =>
  Object.values(DRAGGED).some((type) => event.dataTransfer.types.includes(type))

export function parseDropped(event: DragEvent): { kind: DraggedKind; code: string } | undefined {
  for (const kind of ['dataflow', 'folder'] as const) {
    const code = event.dataTransfer.getData(DRAGGED[kind])
    if (code) return { kind, code }
  }
  return undefined
}
