import { FirstName, Surname } from '@trellis/contract/identity/identity.schemas'
import { ThemeMode, type Profile } from '@trellis/contract/profile/profile.schemas'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { Avatar } from '../../ui/data/Avatar.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { Form, FormActions, FormSelect, FormTextField, showServerError, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { TextField } from '../../ui/forms/TextField.tsx'
import { Section } from '../../ui/layout/Page.tsx'
import { fullName, useProfile, useUpdateProfile } from './profile.queries.ts'

const ProfileForm = z.object({
  firstName: FirstName,
  surname: Surname,
  preferences: z.object({ themeMode: ThemeMode }),
})

const valuesOf = (profile: Profile) => ({
  firstName: profile.first_name,
  surname: profile.surname,
  preferences: { themeMode: profile.preferences.themeMode },
})

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function Component() {
  const profile = useProfile()
  const update = useUpdateProfile()
  const form = useSchemaForm(ProfileForm, valuesOf(profile))
  const { reset, follow } = form
  useEffect(() => follow(valuesOf(profile)), [profile, follow])

  const save = async (values: z.infer<typeof ProfileForm>) => {
    try {
      reset(valuesOf(await update.mutateAsync({ body: values })))
    } catch (error) {
      const isShown = error instanceof ApiError && showServerError(form, error)
      if (!isShown)
        showToast({ tone: 'danger', text: 'Your changes could not be saved.', detail: (error as Error).message })
    }
  }
  return (
    <Section title="About you" subtitle={<Avatar name={fullName(profile)} email={profile.email} />}>
      <Form form={form} onSubmit={save}>
        <FormTextField name="firstName" label="First name" autoComplete="given-name" />
        <FormTextField name="surname" label="Last name" autoComplete="family-name" />
        <TextField
          label="Email"
          value={profile.email}
          readOnly
          hint="Your e-mail is how you sign in and cannot be changed."
        />
        <FormSelect name="preferences.themeMode" label="Theme" options={THEMES} />
        <FormActions>
          <SubmitButton>Save changes</SubmitButton>
        </FormActions>
      </Form>
    </Section>
  )
}
