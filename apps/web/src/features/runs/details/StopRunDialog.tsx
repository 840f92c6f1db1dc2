import type { ReactNode } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'

interface StopRunDialogProps {
  stopping: { readonly isPending: boolean; readonly error: Error | null }
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

export function StopRunDialog({ stopping, onConfirm, onClose, children }: StopRunDialogProps) {
  return (
    <ConfirmDialog
      title="Stop this run?"
      confirmLabel="Stop the run"
      cancelLabel="Let it run"
      isBusy={stopping.isPending}
      error={stopping.error ? getErrorDetail(stopping.error) : undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
