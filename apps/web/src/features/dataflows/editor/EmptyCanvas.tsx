import { useRef } from 'react'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FlowPicture } from '../list/FlowPicture.tsx'
import type { StartFrom } from '../start/start-from.ts'
import { StartPage } from '../start/StartPage.tsx'
import styles from './editor.module.css'
import { useClipboard } from './view/use-clipboard.ts'
import type { CanvasActions } from './work/use-canvas-actions.ts'

const nothing = () => undefined

interface EmptyCanvasProps {
  actions: CanvasActions
  canWrite: boolean
  onAdd: () => void
  onStart: (from: StartFrom) => void
}

export function EmptyCanvas({ actions, canWrite, onAdd, onStart }: EmptyCanvasProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  useClipboard({ canvasRef: containerRef, actions, canWrite, codes: () => [], pointer: nothing, onPasted: nothing })
  return (
    <div ref={containerRef} className={styles.empty} data-can-start={canWrite}>
      {canWrite ? (
        <StartPage onStart={onStart} onAdd={onAdd} />
      ) : (
        <EmptyState picture={<FlowPicture />} title="An empty canvas" subtitle="This dataflow has no blocks yet." />
      )}
    </div>
  )
}
