import { useRef } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FlowPicture } from '../list/FlowPicture.tsx'
import styles from './editor.module.css'
import { useClipboard } from './view/use-clipboard.ts'
import type { CanvasActions } from './work/use-canvas-actions.ts'

const nothing = () => undefined

interface EmptyCanvasProps {
  actions: CanvasActions
  canWrite: boolean
  onAdd: () => void
}

export function EmptyCanvas({ actions, canWrite, onAdd }: EmptyCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  useClipboard({ box, actions, canWrite, codes: () => [], pointer: nothing, onPasted: nothing })
  return (
    <div ref={box} className={styles.empty}>
      <EmptyState
        picture={<FlowPicture />}
        title="An empty canvas"
        subtitle={
          canWrite
            ? 'Begin with a source: it brings data into this workspace. Then add what works on it, and draw arrows for what waits for what. Blocks copied elsewhere can be pasted.'
            : 'Nothing has been built here yet.'
        }
        action={
          canWrite && (
            <Button variant="primary" onClick={onAdd}>
              Add the first block
            </Button>
          )
        }
      />
    </div>
  )
}
