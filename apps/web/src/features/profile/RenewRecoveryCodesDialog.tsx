import { SecondFactorConfirm } from '@trellis/contract/identity/identity.schemas'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Form, FormActions, FormPasswordField, FormTextField, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import styles from './profile.module.css'
import { useProfile } from './profile.queries.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useRenewRecoveryCodes } from './second-factor.queries.ts'
import { WithPassword } from './SetUpSecondFactorDialog.tsx'

export function RenewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Dialog title="New recovery codes" size="md" isLocked={codes !== null} onClose={onClose}>
      {codes ? (
        <RecoveryCodes title="The earlier codes do not work any more" codes={codes} onDone={onClose} />
      ) : (
        <Proof onDone={setCodes} />
      )}
    </Dialog>
  )
}

function Proof({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const renew = useRenewRecoveryCodes()
  const { has_password: hasPassword } = useProfile()
  const form = useSchemaForm(hasPassword ? WithPassword : SecondFactorConfirm, { code: '', password: '' })
  const submit = async ({ code, password }: { code: string; password?: string | undefined }) => {
    try {
      onDone((await renew.mutateAsync({ body: { code, ...(password ? { password } : {}) } })).recovery_codes)
    } catch (error) {
      const isPassword = error instanceof ApiError && error.code === 'password_wrong'
      form.setFieldError(isPassword ? 'password' : 'code', (error as Error).message)
    }
  }
  return (
    <>
      <p className={styles.text}>You get ten new codes. The ones you have stop working at once.</p>
      <Form form={form} onSubmit={submit}>
        {hasPassword && (
          <FormPasswordField name="password" label="Password" autoComplete="current-password" data-autofocus />
        )}
        <FormTextField name="code" label="Code from the app, or a recovery code" autoComplete="one-time-code" isMono />
        <FormActions>
          <SubmitButton>Make new codes</SubmitButton>
        </FormActions>
      </Form>
    </>
  )
}
