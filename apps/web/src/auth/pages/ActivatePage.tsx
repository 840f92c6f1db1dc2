import { useState } from 'react'
import { ApiError, getErrorDetail } from '../../api/api-error.ts'
import { storeNotice, storeSignedUp } from '../../app/session/handover.ts'
import { CodeField } from '../form/CodeField.tsx'
import type { Values } from '../form/auth-form.ts'
import { Field } from '../form/Field.tsx'
import formStyles from '../form/form.module.css'
import { PasswordField } from '../form/PasswordField.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useAuthForm } from '../form/use-auth-form.ts'
import { Banner } from '../parts/Banner.tsx'
import { Link } from '../parts/Link.tsx'
import { MailboxHint } from '../parts/MailboxHint.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { ResendButton } from '../parts/ResendButton.tsx'
import { showToast } from '../parts/toasts.ts'
import { parseCarriedState, clearHistoryState, navigate } from '../auth-location.ts'
import type { AuthLocation } from '../auth-location.ts'
import { ACTIVATION_FAILED, LOGIN_FAILED } from '../sign-in.ts'
import { loadWork, useWork } from '../work/work-loader.ts'

const activated = { tone: 'success', text: 'Account activated successfully.' } as const

export function ActivatePage({ place }: { place: AuthLocation }) {
  const work = useWork()
  const passedOn = parseCarriedState(place.state)
  const [failure, setFailure] = useState<string | null>(null)
  const [isElsewhere, setElsewhere] = useState(false)
  const form = useAuthForm({
    names: isElsewhere ? ['email', 'code', 'password'] : ['email', 'code'],
    check: isElsewhere ? 'activateElsewhere' : 'activate',
    initial: getInitialValues(place, passedOn.email),
    onSubmit: async ({ email = '', code = '', password }, { call, confirmSignup }) => {
      setFailure(null)
      const chosen = isElsewhere ? password : undefined
      try {
        await call(confirmSignup, { body: { email, code, ...(chosen ? { password: chosen } : {}) } })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'password_needed') return setElsewhere(true)
        if (error instanceof ApiError && error.status === 422) form.pointAt('code')
        return setFailure(getErrorDetail(error))
      }
      const isSame = passedOn.email === email.trim()
      await signIn(email.trim(), chosen ?? (isSame ? passedOn.password : undefined))
    },
  })
  const email = form.values['email'] ?? ''
  const resend = async () => {
    try {
      const { call, resendSignupCode } = await loadWork()
      await call(resendSignupCode, { body: { email } })
      showToast({ tone: 'success', text: 'A new code is on its way.' })
      return true
    } catch (error) {
      showToast({ tone: 'error', text: getErrorDetail(error) })
      return false
    }
  }
  return (
    <Page
      heading="Account confirmation"
      lead={
        passedOn.isWaiting ? (
          <>
            Your profile is not activated yet. Enter the 6-digit code we sent to <strong>{passedOn.email}</strong>, or
            ask for a new one.
          </>
        ) : passedOn.email ? (
          <>
            We sent a 6-digit code to <strong>{passedOn.email}</strong>. It is good for 15 minutes.
          </>
        ) : (
          'Enter your email and the 6-digit code we sent you.'
        )
      }
    >
      {failure !== null && (
        <Banner tone="error" title={ACTIVATION_FAILED}>
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
          autoFocus={!passedOn.email}
        />
        <CodeField form={form} name="code" label="Code" autoFocus={Boolean(passedOn.email)} />
        {isElsewhere && (
          <PasswordField
            form={form}
            name="password"
            label="Password"
            autoComplete="current-password"
            hint="You signed up in another browser. Enter the password you chose there."
            autoFocus
          />
        )}
        <SubmitButton form={form}>Submit</SubmitButton>
      </form>
      <div className={styles.row}>
        <Link to="/login" state={{ email }}>
          Back to login
        </Link>
        <ResendButton
          onSend={resend}
          isDisabled={!work?.isEmail(email)}
          startsCooling={Boolean(passedOn.password) && !passedOn.isWaiting}
        />
      </div>
      <MailboxHint />
    </Page>
  )
}

function getInitialValues(location: AuthLocation, email: string | undefined): Values {
  const query = new URLSearchParams(location.search)
  return { email: email ?? query.get('email') ?? '', code: query.get('code') ?? '' }
}

async function signIn(email: string, password: string | undefined): Promise<void> {
  clearHistoryState()
  if (password === undefined) {
    navigate('/login', { state: { email, isActivated: true } })
    return
  }
  showToast(activated)
  try {
    const { call, completeSignIn, login } = await loadWork()
    const { access_token } = await call(login, { body: { email, password } })
    storeNotice(activated)
    storeSignedUp()
    completeSignIn({ accessToken: access_token, email })
  } catch (error) {
    showToast({ tone: 'error', text: `${LOGIN_FAILED} ${getErrorDetail(error)}` })
    navigate('/login', { state: { email } })
  }
}
