import { useState, type ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { Banner } from '../feedback/Banner.tsx'
import { TextField } from '../forms/TextField.tsx'
import { Dialog } from './Dialog.tsx'
import { isTypedWord } from './typed-word.ts'

interface Confirm {
  title: string
  /** What will be lost, in plain words. */
  children: ReactNode
  confirmLabel?: string
  cancelLabel?: string
  isBusy?: boolean
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is destroyed. The safe button has the focus. */
export function ConfirmDialog({
  canConfirm = true,
  confirmLabel = 'Delete',
  cancelLabel = 'Cancel',
  isBusy = false,
  error,
  ...props
}: Confirm & { canConfirm?: boolean }) {
  return (
    <Dialog
      title={props.title}
      isLocked={isBusy}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose} disabled={isBusy} data-autofocus={canConfirm || undefined}>
            {cancelLabel}
          </Button>
          <Button variant="danger" isBusy={isBusy} disabled={!canConfirm} onClick={props.onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
      {error && <Banner tone="danger">{error}</Banner>}
    </Dialog>
  )
}

/** The stricter question: the word must be typed before the button works. */
export function TypedConfirmDialog({ children, word = 'delete', ...props }: Confirm & { word?: string }) {
  const [typed, setTyped] = useState('')
  const isRight = isTypedWord(typed, word)
  return (
    <ConfirmDialog {...props} canConfirm={isRight}>
      {children}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isRight && !props.isBusy) props.onConfirm()
        }}
      >
        <TextField
          label={`Type ${word} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </form>
    </ConfirmDialog>
  )
}
