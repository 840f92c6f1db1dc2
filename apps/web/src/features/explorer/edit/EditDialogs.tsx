import type { RowConflict } from '@trellis/contract/explorer/row-edits.schemas'
import { useEffect, useRef, useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useUndoEdits } from '../row-edits.queries.ts'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import { ConflictList } from './ConflictList.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { RowEdits } from './use-row-edits.ts'

export type EditDialog = { kind: 'review' } | { kind: 'undo'; editId: string }

interface EditDialogsProps {
  dialog: EditDialog
  rows: RowEdits
  onApplied: () => void
  onClose: () => void
}

const countText = (rows: number) => (rows === 1 ? 'One row' : `${rows} rows`)

export function EditDialogs({ dialog, rows, onApplied, onClose }: EditDialogsProps) {
  if (dialog.kind === 'undo') return <Undoing editId={dialog.editId} onApplied={onApplied} onClose={onClose} />
  return (
    <ReviewDialog
      edits={rows.edits}
      onChange={rows.setEdits}
      onApplied={(count) => {
        rows.discard()
        onApplied()
        onClose()
        showToast({ tone: 'success', text: `${countText(count)} changed.` })
      }}
      onClose={onClose}
    />
  )
}

/** Starts at once; only conflicts are shown. */
function Undoing({ editId, onApplied, onClose }: Omit<EditDialogsProps, 'dialog' | 'rows'> & { editId: string }) {
  const { params } = useExplorer()
  const undoing = useUndoEdits(params, useTableAddress())
  const [conflicts, setConflicts] = useState<readonly RowConflict[]>([])
  const hasBegun = useRef(false)
  const begin = async () => {
    try {
      const result = await undoing.undo(editId)
      if (result.status === 'conflict') return setConflicts(result.conflicts)
      showToast({ tone: 'success', text: `${countText(result.rows)} set back.` })
      onApplied()
    } catch (error) {
      showToast({ tone: 'danger', text: `The change could not be undone. ${getErrorDetail(error)}` })
    }
    onClose()
  }
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void begin()
  })
  if (conflicts.length === 0) return null
  return (
    <Dialog title="The change can’t be undone" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <ConflictList conflicts={conflicts} nameRow={({ edit }) => `Changed row ${edit + 1}`} />
    </Dialog>
  )
}
