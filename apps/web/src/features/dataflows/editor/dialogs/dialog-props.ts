import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { CanvasActions } from '../work/use-canvas-actions.ts'

export interface DialogProps {
  canvas: Canvas
  actions: CanvasActions
  onReload: () => void
  onMade: (code: string) => void
  onClose: () => void
}
