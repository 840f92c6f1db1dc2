import type { ReactNode } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'

interface StopRunDialogProps {
  stopMutation: { readonly isPending: boolean; readonly error: Error | null }
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

export function StopRunDialog({ stopMutation, onConfirm, onClose, children }: StopRunDialogProps) {
  return (
    <ConfirmDialog
      title="Stop this run?"
      confirmLabel="Stop the run"
      cancelLabel="Let it run"
      isBusy={stopMutation.isPending}
      error={stopMutation.error ? getErrorDetail(stopMutation.error) : undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
