import { useState } from 'react'
import { getErrorDetail } from '../../api/api-error.ts'
import { Field } from '../form/Field.tsx'
import formStyles from '../form/form.module.css'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useAuthForm } from '../form/use-auth-form.ts'
import { Banner } from '../parts/Banner.tsx'
import { Link } from '../parts/Link.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { parseCarriedState, navigate } from '../auth-location.ts'
import type { AuthLocation } from '../auth-location.ts'
import { RESET_FAILED } from '../sign-in.ts'

export function ForgotPasswordPage({ place }: { place: AuthLocation }) {
  const passedOn = parseCarriedState(place.state)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useAuthForm({
    names: ['email'],
    check: 'forgot',
    ...(passedOn.email && { initial: { email: passedOn.email } }),
    onSubmit: async ({ email = '' }, { call, forgotPassword }) => {
      setFailure(null)
      try {
        await call(forgotPassword, { body: { email: email.trim() } })
        navigate('/reset', { state: { email: email.trim() } })
      } catch (error) {
        setFailure(getErrorDetail(error))
      }
    },
  })
  return (
    <Page heading="Forgot password" lead="Tell us your email and we send you a code to set a new one.">
      {failure !== null && (
        <Banner tone="error" title={RESET_FAILED}>
          {failure}
        </Banner>
      )}
      <form className={formStyles.form} {...form.formProps}>
        <Field
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
        />
        <SubmitButton form={form}>Submit</SubmitButton>
      </form>
      <div className={styles.row}>
        <Link to="/login" state={{ email: form.values['email'] }}>
          Back to login
        </Link>
      </div>
    </Page>
  )
}
