import { useState } from 'react'
import { getErrorDetail } from '../../api/api-error.ts'
import { Field } from '../form/Field.tsx'
import formStyles from '../form/form.module.css'
import { PasswordField } from '../form/PasswordField.tsx'
import { PasswordRules } from '../form/PasswordRules.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useAuthForm } from '../form/use-auth-form.ts'
import { Banner } from '../parts/Banner.tsx'
import { LegalNotice } from '../parts/LegalNotice.tsx'
import { Link } from '../parts/Link.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { navigate } from '../auth-location.ts'
import type { AuthLocation } from '../auth-location.ts'

export function SignupPage({ place }: { place: AuthLocation }) {
  const query = new URLSearchParams(place.search)
  const invitedEmail = query.get('email') ?? undefined
  const isInvited = query.has('invited') || invitedEmail !== undefined
  const [failure, setFailure] = useState<string | null>(null)
  const form = useAuthForm({
    names: ['firstName', 'surname', 'email', 'password', 'confirm'],
    check: 'signup',
    ...(invitedEmail && { initial: { email: invitedEmail } }),
    onSubmit: async ({ firstName = '', surname = '', email = '', password = '' }, { call, signup }) => {
      setFailure(null)
      try {
        await call(signup, { body: { firstName, surname, email, password } })
        navigate('/activate', { state: { email: email.trim(), password } })
      } catch (error) {
        if (!form.refuse(error)) setFailure(getErrorDetail(error))
      }
    },
  })
  return (
    <Page heading="Create account" lead="We send a code to your email to confirm it is yours.">
      {isInvited && (
        <Banner tone="info" title="You have been invited">
          Sign up with the email address your invite was sent to, so that it is waiting for you after you sign in.
        </Banner>
      )}
      {failure && <Banner tone="error" title={failure} />}
      <form className={formStyles.form} {...form.formProps}>
        <div className={formStyles.pair}>
          <Field form={form} name="firstName" label="First name" autoComplete="given-name" autoFocus />
          <Field form={form} name="surname" label="Last name" autoComplete="family-name" />
        </div>
        <Field
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          hint={isInvited ? undefined : 'Invited? Use the address your invite was sent to.'}
        />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="new-password"
          describedBy={form.toFieldId('rules')}
        />
        <PasswordRules id={form.toFieldId('rules')} password={form.values['password'] ?? ''} />
        <PasswordField form={form} name="confirm" label="Confirm password" autoComplete="new-password" />
        <SubmitButton form={form}>Register</SubmitButton>
      </form>
      <div className={styles.links}>
        <p>
          Already have an account? <Link to="/login">Sign in</Link>
        </p>
      </div>
      <LegalNotice doing="signing up" />
    </Page>
  )
}
