import { Login, SecondFactorConfirm } from '@trellis/contract/identity/identity.schemas'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Stepper } from '../../ui/feedback/Meters.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Form, FormActions, FormTextField, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import styles from './profile.module.css'
import { useProfile } from './profile.queries.ts'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useConfirmSecondFactor, useSetUpSecondFactor } from './second-factor.queries.ts'

/** A profile that only uses single sign-on has no password. */
export const WithPassword = z.extend(SecondFactorConfirm, { password: Login.shape.password })

const STEPS = ['Scan', 'Save recovery codes']

export function SetUpSecondFactorDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Dialog title="Set up two-factor sign-in" size="md" isLocked={codes !== null} onClose={onClose}>
      <div className={styles.steps}>
        <Stepper steps={STEPS} current={codes ? 1 : 0} />
      </div>
      {codes ? (
        <RecoveryCodes title="Two-factor sign-in is on" codes={codes} onDone={onClose} />
      ) : (
        <Scan onDone={setCodes} />
      )}
    </Dialog>
  )
}

function Scan({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const { mutate: begin, data: setup, error } = useSetUpSecondFactor()
  const confirm = useConfirmSecondFactor()
  const { has_password: hasPassword } = useProfile()
  const form = useSchemaForm(hasPassword ? WithPassword : SecondFactorConfirm, { code: '', password: '' })
  useEffect(() => begin({}), [begin])

  const submit = async ({ code, password }: { code: string; password?: string | undefined }) => {
    try {
      onDone((await confirm.mutateAsync({ body: { code, ...(password ? { password } : {}) } })).recovery_codes)
    } catch (error) {
      const isPassword = error instanceof ApiError && error.code === 'password_wrong'
      form.setFieldError(isPassword ? 'password' : 'code', (error as Error).message)
    }
  }
  if (error) return <Banner tone="danger">{error.message}</Banner>
  return (
    <>
      <p className={styles.text}>Scan this picture with an authenticator app, then type the 6-digit code it shows.</p>
      {setup ? (
        <>
          <div className={styles.scan}>
            <QrCode text={setup.otpauth_url} label="QR code for your authenticator app" />
            <div className={styles.secret}>
              <span>No camera at hand? Type this key into the app:</span>
              <CodeBlock code={setup.secret} isWrapped />
            </div>
          </div>
          <Form form={form} onSubmit={submit}>
            <FormTextField
              name="code"
              label="Code from the app"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              isMono
              autoFocus
            />
            {hasPassword && (
              <FormTextField name="password" label="Your password" type="password" autoComplete="current-password" />
            )}
            <FormActions>
              <SubmitButton>Turn on</SubmitButton>
            </FormActions>
          </Form>
        </>
      ) : (
        <Loading label="Making a key">
          <div className={styles.scan}>
            <Skeleton width={168} height={168} />
            <div className={styles.secret}>
              <Skeleton width="80%" />
              <Skeleton height={40} />
            </div>
          </div>
        </Loading>
      )}
    </>
  )
}
