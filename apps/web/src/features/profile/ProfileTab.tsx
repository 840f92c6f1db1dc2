import { FirstName, Surname } from '@trellis/contract/identity/identity.schemas'
import { hasChosenTheme, ThemeMode, type Profile } from '@trellis/contract/profile/profile.schemas'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { Avatar } from '../../ui/data/Avatar.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { Form, FormActions, FormSelect, FormTextField, showServerError, SubmitButton } from '../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../ui/forms/schema-form.ts'
import { TextField } from '../../ui/forms/TextField.tsx'
import { usePreferredTheme } from '../../app/theme/use-theme.ts'
import { Section } from '../../ui/layout/Page.tsx'
import { fullName, useProfile, useUpdateProfile } from './profile.queries.ts'

const ProfileForm = z.object({
  firstName: FirstName,
  surname: Surname,
  preferences: z.object({ themeMode: ThemeMode }),
})

const toFormValues = (profile: Profile, themeMode: ThemeMode) => ({
  firstName: profile.first_name,
  surname: profile.surname,
  preferences: { themeMode },
})

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function Component() {
  const profile = useProfile()
  const update = useUpdateProfile()
  const shownTheme = usePreferredTheme(profile)
  const form = useSchemaForm(ProfileForm, toFormValues(profile, shownTheme))
  const { reset, follow } = form
  useEffect(() => follow(toFormValues(profile, shownTheme)), [profile, shownTheme, follow])

  const save = async (values: z.infer<typeof ProfileForm>) => {
    try {
      const { preferences, ...names } = values
      // A theme that follows the system is not saved as a choice.
      const isChosen = hasChosenTheme(profile) || preferences.themeMode !== shownTheme
      const saved = await update.mutateAsync({ body: isChosen ? values : names })
      reset(toFormValues(saved, preferences.themeMode))
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
        <FormSelect
          name="preferences.themeMode"
          label="Theme"
          options={THEMES}
          hint={hasChosenTheme(profile) ? undefined : 'Follows your system until you choose one.'}
        />
        <FormActions>
          <SubmitButton>Save changes</SubmitButton>
        </FormActions>
      </Form>
    </Section>
  )
}
