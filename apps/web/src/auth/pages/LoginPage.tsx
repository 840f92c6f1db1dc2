import { useState } from 'react'
import { ApiError, getErrorDetail } from '../../api/api-error.ts'
import { Field } from '../form/Field.tsx'
import formStyles from '../form/form.module.css'
import { PasswordField } from '../form/PasswordField.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useAuthForm } from '../form/use-auth-form.ts'
import { Banner } from '../parts/Banner.tsx'
import { LegalNotice } from '../parts/LegalNotice.tsx'
import { Link } from '../parts/Link.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { SsoButton } from '../parts/SsoButton.tsx'
import { showToast } from '../parts/toasts.ts'
import { parseCarriedState, navigate } from '../auth-location.ts'
import type { AuthLocation } from '../auth-location.ts'
import { LOGIN_FAILED, readNextPath } from '../sign-in.ts'
import { loadWork } from '../work/work-loader.ts'
import { SecondFactorStep } from './SecondFactorStep.tsx'

export interface Credentials {
  email: string
  password: string
}

export function LoginPage({ place }: { place: AuthLocation }) {
  const [challenged, setChallenged] = useState<Credentials | null>(null)
  const [typedEmail, setTypedEmail] = useState<string>()

  const signIn = async (credentials: Credentials & { second_factor?: string }) => {
    const { call, completeSignIn, login } = await loadWork()
    const { access_token } = await call(login, { body: credentials })
    completeSignIn({ accessToken: access_token, email: credentials.email, next: readNextPath(place.search) })
  }
  if (challenged) {
    const back = () => {
      setTypedEmail(challenged.email)
      setChallenged(null)
    }
    return <SecondFactorStep onSubmit={(second_factor) => signIn({ ...challenged, second_factor })} onBack={back} />
  }
  return <PasswordStep place={place} typedEmail={typedEmail} onSubmit={signIn} onChallenge={setChallenged} />
}

interface PasswordStepProps {
  place: AuthLocation
  typedEmail: string | undefined
  onSubmit: (credentials: Credentials) => Promise<void>
  onChallenge: (credentials: Credentials) => void
}

function PasswordStep({ place, typedEmail, onSubmit, onChallenge }: PasswordStepProps) {
  const passedOn = parseCarriedState(place.state)
  const initialEmail = typedEmail ?? passedOn.email ?? new URLSearchParams(place.search).get('email')
  const form = useAuthForm({
    names: ['email', 'password'],
    check: 'login',
    ...(initialEmail && { initial: { email: initialEmail } }),
    onSubmit: async (values) => {
      const credentials = { email: values['email']?.trim() ?? '', password: values['password'] ?? '' }
      try {
        await onSubmit(credentials)
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined
        if (code === 'second_factor_required') onChallenge(credentials)
        else if (code === 'activation_required') navigate('/activate', { state: { ...credentials, isWaiting: true } })
        else showToast({ tone: 'error', text: `${LOGIN_FAILED} ${getErrorDetail(error)}` })
      }
    },
  })
  const typed = { email: form.values['email']?.trim() ?? '' }
  return (
    <Page heading="Sign in to your workspace" lead="Connect sources, build dataflows, ask questions.">
      {passedOn.isActivated && <Banner tone="success" title="Your account is active. Sign in." />}
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
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          aside={
            <Link to="/forgot-password" state={typed}>
              Forgot password?
            </Link>
          }
        />
        <SubmitButton form={form}>Sign in</SubmitButton>
      </form>
      <SsoButton search={place.search} />
      <div className={styles.links}>
        <p>
          New to Trellis? <Link to="/signup">Create an account</Link>
        </p>
        <p>
          Have a code from us?{' '}
          <Link to="/activate" state={typed}>
            Activate your account
          </Link>
        </p>
      </div>
      <LegalNotice doing="signing in" />
    </Page>
  )
}
