import { useId, type ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import { Form, FormScope, SubmitButton } from './Form.tsx'
import type { SchemaForm } from './schema-form.ts'

/** A form whose buttons stand in the footer of its dialog. `isBusy` locks both until the work is done. */
export function FormDialog<Values extends object>({
  title,
  form,
  submitLabel,
  isBusy = false,
  canSubmit = true,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  form: SchemaForm<Values>
  submitLabel: string
  isBusy?: boolean
  canSubmit?: boolean
  onSubmit: (values: Values) => Promise<unknown> | void
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <FormScope form={form} isDisabled={isBusy}>
      <Dialog
        title={title}
        isLocked={isBusy}
        onClose={onClose}
        footer={
          <>
            <Button onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <SubmitButton form={id} disabled={!canSubmit}>
              {submitLabel}
            </SubmitButton>
          </>
        }
      >
        <Form id={id} form={form} onSubmit={onSubmit} isDisabled={isBusy}>
          {children}
        </Form>
      </Dialog>
    </FormScope>
  )
}
