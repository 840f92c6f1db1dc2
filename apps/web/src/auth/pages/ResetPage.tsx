import { useEffect, useState } from 'react'
import { ApiError, getErrorDetail } from '../../api/api-error.ts'
import { CodeField } from '../form/CodeField.tsx'
import formStyles from '../form/form.module.css'
import { PasswordField } from '../form/PasswordField.tsx'
import { PasswordRules } from '../form/PasswordRules.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useAuthForm } from '../form/use-auth-form.ts'
import { Banner } from '../parts/Banner.tsx'
import { Link } from '../parts/Link.tsx'
import { MailboxHint } from '../parts/MailboxHint.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { ResendButton } from '../parts/ResendButton.tsx'
import { showToast } from '../parts/toasts.ts'
import { parseCarriedState, navigate, useIsReady } from '../auth-location.ts'
import type { AuthLocation } from '../auth-location.ts'
import { RESET_FAILED } from '../sign-in.ts'
import { loadWork } from '../work/work-loader.ts'

export function ResetPage({ place }: { place: AuthLocation }) {
  const isReady = useIsReady()
  const { email } = parseCarriedState(place.state)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    if (isReady && !email) navigate('/forgot-password', { replace: true })
  }, [isReady, email])

  const form = useAuthForm({
    names: ['confirmation_code', 'new_password', 'confirm'],
    check: 'reset',
    onSubmit: async ({ confirmation_code = '', new_password = '' }, { call, forgotPassword }) => {
      setFailure(null)
      try {
        await call(forgotPassword, { body: { email: email ?? '', confirmation_code, new_password } })
        showToast({ tone: 'success', text: 'Password changed. Sign in with your new password.' })
        navigate('/login', { state: { email } })
      } catch (error) {
        if (error instanceof ApiError && error.status === 422) form.pointAt('confirmation_code')
        setFailure(getErrorDetail(error))
      }
    },
  })
  const resend = async () => {
    try {
      const { call, forgotPassword } = await loadWork()
      await call(forgotPassword, { body: { email: email ?? '' } })
      showToast({ tone: 'success', text: 'Reset code sent' })
      return true
    } catch (error) {
      showToast({ tone: 'error', text: getErrorDetail(error) })
      return false
    }
  }
  return (
    <Page heading="Reset password" lead="Enter the code from the email and choose a new password.">
      {failure === null ? (
        <Banner tone="success" title="Reset code sent">
          If {email ?? 'this address'} has an account here, the code is on its way. It is good for 15 minutes.
        </Banner>
      ) : (
        <Banner tone="error" title={RESET_FAILED}>
          {failure}
        </Banner>
      )}
      <form className={formStyles.form} {...form.formProps}>
        <input
          className="visually-hidden"
          autoComplete="username"
          value={email ?? ''}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <CodeField form={form} name="confirmation_code" label="Reset code" autoFocus />
        <PasswordField
          form={form}
          name="new_password"
          label="New password"
          autoComplete="new-password"
          describedBy={form.toFieldId('rules')}
        />
        <PasswordRules id={form.toFieldId('rules')} password={form.values['new_password'] ?? ''} />
        <PasswordField form={form} name="confirm" label="Confirm password" autoComplete="new-password" />
        <SubmitButton form={form}>Submit</SubmitButton>
      </form>
      <div className={styles.row}>
        <Link to="/login" state={{ email }}>
          Back to login
        </Link>
        <ResendButton onSend={resend} isDisabled={!email} startsCooling />
      </div>
      <MailboxHint />
    </Page>
  )
}
