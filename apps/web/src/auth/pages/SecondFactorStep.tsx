import { useState } from 'react'
import { ApiError, getErrorDetail } from '../../api/api-error.ts'
import { Field } from '../form/Field.tsx'
import formStyles from '../form/form.module.css'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useAuthForm } from '../form/use-auth-form.ts'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { showToast } from '../parts/toasts.ts'
import { LOGIN_FAILED } from '../sign-in.ts'

interface SecondFactorStepProps {
  onSubmit: (code: string) => Promise<void>
  onBack: () => void
}

export function SecondFactorStep({ onSubmit, onBack }: SecondFactorStepProps) {
  const [isRecovery, setRecovery] = useState(false)
  const form = useAuthForm({
    names: ['second_factor'],
    check: 'secondFactor',
    onSubmit: async (values) => {
      try {
        await onSubmit(values['second_factor']?.trim() ?? '')
      } catch (error) {
        if (error instanceof ApiError && error.code === 'second_factor_wrong') form.refuse(error, 'second_factor')
        showToast({ tone: 'error', text: `${LOGIN_FAILED} ${getErrorDetail(error)}` })
      }
    },
  })
  return (
    <Page
      heading="Two-factor sign-in"
      lead={
        isRecovery
          ? 'Enter one of the recovery codes you saved. Each works once.'
          : 'Enter the 6-digit code from your authenticator app.'
      }
    >
      <form className={formStyles.form} {...form.formProps}>
        <Field
          key={String(isRecovery)}
          form={form}
          name="second_factor"
          label={isRecovery ? 'Recovery code' : 'Authenticator code'}
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          maxLength={20}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <SubmitButton form={form}>Verify</SubmitButton>
      </form>
      <div className={styles.links}>
        <p>
          {isRecovery ? 'Have your device again? ' : 'Lost your device? '}
          <button type="button" className={styles.textButton} onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? 'Use an authenticator code' : 'Use a recovery code'}
          </button>
        </p>
        <p>
          <button type="button" className={styles.textButton} onClick={onBack}>
            Back to login
          </button>
        </p>
      </div>
    </Page>
  )
}
