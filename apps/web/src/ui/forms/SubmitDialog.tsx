import { useId, type ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import styles from './forms.module.css'

/** A few fields without a schema, sent by Enter or by the button in the footer. `isBusy` locks it until the work is done. */
export function SubmitDialog({
  title,
  size,
  submitLabel,
  isBusy,
  canSubmit,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  size?: 'sm' | 'md'
  submitLabel: string
  isBusy: boolean
  canSubmit: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <Dialog
      title={title}
      {...(size && { size })}
      isLocked={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" isBusy={isBusy} disabled={!canSubmit}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
