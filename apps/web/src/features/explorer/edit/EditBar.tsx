import type { RowEditing } from '@trellis/contract/explorer/row-edits.schemas'
import { Plus, Undo2 } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { ReadOnlyMark } from '../../../ui/overlays/ReadOnlyMark.tsx'
import styles from './edit.module.css'
import { countEdits, describeEdits, type PendingEdits } from './pending-edits.ts'

interface EditBarProps {
  editing: RowEditing
  edits: PendingEdits
  isUndoing: boolean
  onAdd: () => void
  onReview: () => void
  onDiscard: () => void
  onUndo: (editId: string) => void
}

export function EditBar({ editing, edits, isUndoing, onAdd, onReview, onDiscard, onUndo }: EditBarProps) {
  if (!editing.can_edit) return <ReadOnlyMark reason={editing.reason ?? ''} />
  const count = countEdits(edits).all
  const { last_edit: last } = editing
  return (
    <div className={styles.bar} role="group" aria-label="Edit rows">
      {count > 0 ? (
        <>
          <span role="status" className={styles.pending}>
            {describeEdits(edits)}
          </span>
          <Button size="sm" onClick={onDiscard}>
            Discard
          </Button>
          <Button size="sm" variant="primary" onClick={onReview}>
            Review
          </Button>
        </>
      ) : (
        last && (
          <Button size="sm" icon={<Undo2 aria-hidden />} isBusy={isUndoing} onClick={() => onUndo(last.edit_id)}>
            Undo last change
          </Button>
        )
      )}
      <Button size="sm" icon={<Plus aria-hidden />} onClick={onAdd}>
        Add row
      </Button>
    </div>
  )
}
