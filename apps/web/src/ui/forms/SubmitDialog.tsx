import { useId, type ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import styles from './forms.module.css'
import { useHeldSubmit } from './use-when-loaded.ts'

/**
 * A few fields without a schema, sent by Enter or by the button in the footer. `isBusy` locks it until the work is done.
 * What is sent while `isLoading` waits for it.
 */
export function SubmitDialog({
  title,
  size,
  submitLabel,
  isBusy,
  isLoading = false,
  canSubmit,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  size?: 'sm' | 'md'
  submitLabel: string
  isBusy: boolean
  isLoading?: boolean
  canSubmit: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const { isWaiting, formProps } = useHeldSubmit({ isLoading, canSubmit, onSubmit })
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
          <Button type="submit" form={id} variant="primary" isBusy={isBusy || isWaiting} disabled={!canSubmit}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} {...formProps}>
        {children}
      </form>
    </Dialog>
  )
}
