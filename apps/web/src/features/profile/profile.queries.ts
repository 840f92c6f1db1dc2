import { getProfile, updateProfile } from '@trellis/contract/profile/profile.endpoints'
import { THEME_CHOSEN_FLAG, type Profile, type ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isUnreachable } from '../../api/api-error.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { readProfile, storeProfile } from '../../app/session/stored-data.ts'

const profileQuery = apiQuery(getProfile, {})

/** The person signed in. The guard has made sure that a profile is stored, so there is always one to begin with. */
export function useProfile(): Profile {
  const { data } = useQuery({
    ...profileQuery,
    initialData: () => {
      const stored = readProfile()
      return stored.ok ? stored.value : undefined
    },
  })
  if (!data) throw new Error('No stored profile found')
  return data
}

export function fullName(profile: Pick<Profile, 'first_name' | 'surname'>): string {
  return `${profile.first_name} ${profile.surname}`.trim()
}

/** Keeps the answer in the cache and in the browser, where the next visit begins. */
function useKeepProfile(): (profile: Profile) => void {
  const client = useQueryClient()
  return (profile) => {
    // An answer that is still on its way is older than what is kept now.
    void client.cancelQueries({ queryKey: profileQuery.queryKey })
    client.setQueryData(profileQuery.queryKey, profile)
    storeProfile(profile)
  }
}

export function useUpdateProfile() {
  const keep = useKeepProfile()
  return useApiMutation(updateProfile, { onSuccess: keep, successText: 'Changes successfully saved.' })
}

/**
 * Shows the new theme at once and takes it back when the server refuses.
 * A call without an answer may have been cut by leaving the page, after the server has saved the theme.
 */
export function useChangeTheme(): (themeMode: ThemeMode) => void {
  const keep = useKeepProfile()
  const profile = useProfile()
  const { mutate } = useApiMutation(updateProfile, {
    onSuccess: keep,
    errorText: 'The theme could not be saved. Please try again.',
  })
  return (themeMode) => {
    keep({ ...profile, preferences: { themeMode }, flags: { ...profile.flags, [THEME_CHOSEN_FLAG]: true } })
    mutate({ body: { preferences: { themeMode } } }, { onError: (error) => !isUnreachable(error) && keep(profile) })
  }
}
