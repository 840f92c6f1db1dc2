import { PASSWORD_RULE, PASSWORD_RULES } from '@trellis/contract/identity/password-rules'
import { NewPassword } from '@trellis/contract/identity/identity.schemas'
import { changePassword, getProfile } from '@trellis/contract/profile/profile.endpoints'
import { PasswordChange } from '@trellis/contract/profile/profile.schemas'
import { listAccessTokens } from '@trellis/contract/tokens/tokens.endpoints'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { useApiMutation } from '../../api/api-query.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import { Form, FormActions, FormPasswordField, showServerError, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { RuleList } from '../../ui/forms/RuleList.tsx'
import { Section } from '../../ui/layout/Page.tsx'
import { useTokens } from '../tokens/tokens.queries.ts'
import { useProfile } from './profile.queries.ts'

const PasswordForm = z
  .object({ current_password: PasswordChange.shape.current_password, new_password: NewPassword, confirm: z.string() })
  .check(
    z.refine((values) => values.new_password === values.confirm, {
      path: ['confirm'],
      error: 'Passwords do not match',
    }),
  )

const EMPTY = { current_password: '', new_password: '', confirm: '' }

export function Component() {
  const profile = useProfile()
  return profile.has_password ? (
    <Section title="Change password" subtitle="Afterwards every other session of yours is signed out. This one stays.">
      <ChangePasswordForm email={profile.email} />
    </Section>
  ) : (
    <Banner title="You have no password">
      You sign in through single sign-on. To get a password as well, sign out and choose “Forgot password” on the
      sign-in page.
    </Banner>
  )
}

function ChangePasswordForm({ email }: { email: string }) {
  const form = useSchemaForm(PasswordForm, EMPTY)
  const count = useTokens().data?.length ?? 0
  const [isRevoking, setRevoking] = useState(false)
  const change = useApiMutation(changePassword, {
    invalidates: [getProfile, listAccessTokens],
    successText: 'Changes successfully saved.',
  })
  const save = async ({ current_password, new_password }: z.infer<typeof PasswordForm>) => {
    try {
      await change.mutateAsync({ body: { current_password, new_password, revoke_tokens: isRevoking } })
      form.reset(EMPTY)
      setRevoking(false)
    } catch (error) {
      const isShown = error instanceof ApiError && showServerError(form, asFieldError(error))
      if (!isShown)
        showToast({ tone: 'danger', text: 'Your password could not be changed.', detail: (error as Error).message })
    }
  }
  return (
    <Form form={form} onSubmit={save}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <FormPasswordField name="current_password" label="Current password" autoComplete="current-password" />
      <FormPasswordField name="new_password" label="New password" autoComplete="new-password" />
      <RuleList label={`Password rule: ${PASSWORD_RULE}`} value={form.values.new_password} rules={PASSWORD_RULES} />
      <FormPasswordField name="confirm" label="Confirm new password" autoComplete="new-password" />
      {count > 0 && (
        <Checkbox
          label={
            count === 1 ? 'Also revoke my personal access token' : `Also revoke my ${count} personal access tokens`
          }
          hint="Otherwise they keep working. Revoke them if somebody else may have seen them."
          checked={isRevoking}
          onChange={(event) => setRevoking(event.target.checked)}
        />
      )}
      <FormActions>
        <SubmitButton>Change password</SubmitButton>
      </FormActions>
    </Form>
  )
}

function asFieldError(error: ApiError) {
  const source = error.code === 'password_wrong' ? { pointer: '/current_password' } : error.source
  return { detail: error.detail, source }
}
