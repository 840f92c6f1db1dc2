import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

interface NameDialogProps {
  title: string
  label: string
  action: string
  first: string
  isBusy: boolean
  error: string | undefined
  onSubmit: (name: string) => void
  onClose: () => void
  children?: ReactNode
}

export function NameDialog({
  title,
  label,
  action,
  first,
  isBusy,
  error,
  onSubmit,
  onClose,
  children,
}: NameDialogProps) {
  const [name, setName] = useState(first)
  const canSubmit = name.trim() !== '' && !isBusy
  return (
    <Dialog
      title={title}
      isLocked={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={isBusy} disabled={!canSubmit} onClick={() => onSubmit(name.trim())}>
            {action}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit) onSubmit(name.trim())
        }}
      >
        {children}
        <TextField
          label={label}
          value={name}
          error={error}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
          data-autofocus
        />
      </form>
    </Dialog>
  )
}
