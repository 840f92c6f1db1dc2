import { Button } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FlowPicture } from '../list/FlowPicture.tsx'
import styles from './editor.module.css'

export function EmptyCanvas({ canWrite, onAdd }: { canWrite: boolean; onAdd: () => void }) {
  return (
    <div className={styles.empty}>
      <EmptyState
        picture={<FlowPicture />}
        title="An empty canvas"
        subtitle={
          canWrite
            ? 'Begin with a source: it brings data into this workspace. Then add what works on it, and draw arrows for what waits for what.'
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
