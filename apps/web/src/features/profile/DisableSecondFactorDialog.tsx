import { SecondFactorDisable } from '@trellis/contract/identity/identity.schemas'
import type * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Form, FormActions, FormPasswordField, FormTextField, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import styles from './profile.module.css'
import { useDisableSecondFactor } from './second-factor.queries.ts'

const FIELD_BY_ERROR_CODE: Record<string, 'password' | 'code'> = {
  password_wrong: 'password',
  second_factor_wrong: 'code',
}

export function DisableSecondFactorDialog({ onClose }: { onClose: () => void }) {
  const disable = useDisableSecondFactor()
  const form = useSchemaForm(SecondFactorDisable, { password: '', code: '' })
  const field = disable.error instanceof ApiError ? FIELD_BY_ERROR_CODE[disable.error.code] : undefined
  const submit = async (body: z.infer<typeof SecondFactorDisable>) => {
    try {
      await disable.mutateAsync({ body })
      onClose()
    } catch (error) {
      const name = error instanceof ApiError ? FIELD_BY_ERROR_CODE[error.code] : undefined
      if (name) form.setFieldError(name, (error as Error).message)
    }
  }
  return (
    <Dialog title="Turn two-factor sign-in off" isLocked={disable.isPending} onClose={onClose}>
      <p className={styles.text}>You will sign in with your password only, and your recovery codes stop working.</p>
      <Form form={form} onSubmit={submit}>
        <FormPasswordField name="password" label="Password" autoComplete="current-password" data-autofocus />
        <FormTextField name="code" label="Code from the app, or a recovery code" autoComplete="one-time-code" isMono />
        {disable.error && !field && <Banner tone="danger">{disable.error.message}</Banner>}
        <FormActions>
          <SubmitButton variant="danger">Turn off</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
