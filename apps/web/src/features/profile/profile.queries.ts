import { getProfile, updateProfile } from '@trellis/contract/profile/profile.endpoints'
import { THEME_CHOSEN_FLAG, type Profile, type ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isUnreachable } from '../../api/api-error.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { readProfile, storeProfile } from '../../app/session/stored-data.ts'

const profileQuery = apiQuery(getProfile, {})

/** The route guard guarantees a stored profile. */
export function useProfile(): Profile {
  const { data } = useQuery({
    ...profileQuery,
    initialData: () => {
      const storedResult = readProfile()
      return storedResult.ok ? storedResult.value : undefined
    },
  })
  if (!data) throw new Error('No stored profile found')
  return data
}

export function fullName(profile: Pick<Profile, 'first_name' | 'surname'>): string {
  return `${profile.first_name} ${profile.surname}`.trim()
}

function useKeepProfile(): (profile: Profile) => void {
  const client = useQueryClient()
  return (profile) => {
    // A pending response is older than what is stored now.
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
 * Optimistic, reverted when the server refuses. A request without a response may have been aborted by leaving the page
 * after the server saved it.
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
