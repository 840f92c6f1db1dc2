import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { CanvasRequest } from './canvas-requests.ts'
import type { BlockMenu } from './use-block-menu.tsx'
import type { CanvasActions } from './work/use-canvas-actions.ts'
import type { CanvasWork } from './work/use-canvas-work.ts'

export interface EditorProps {
  canvas: Canvas
  canWrite: boolean
  work: CanvasWork
  actions: CanvasActions
  menu: BlockMenu
  onRequest: (request: CanvasRequest) => void
  selected: readonly string[]
  onSelect: (codes: readonly string[]) => void
  /** A new block, which gets focus. */
  arrived: string | null
  onArrived: () => void
}
