import { parseProfile } from './stored-data.ts'
import { PROFILE_KEY } from './stored-keys.ts'

export type CrossTabChange = 'none' | 'signed-out' | 'someone-else'

type StorageChange = Pick<StorageEvent, 'key' | 'newValue'>

export function toCrossTabChange({ key, newValue }: StorageChange, profileId: number): CrossTabChange {
  if (key === null) return 'signed-out'
  if (key !== PROFILE_KEY) return 'none'
  if (newValue === null) return 'signed-out'
  const profile = parseProfile(newValue)
  return profile.ok && profile.value.id === profileId ? 'none' : 'someone-else'
}

export function watchOtherTabs(
  profileId: number,
  onChange: (change: Exclude<CrossTabChange, 'none'>) => void,
): () => void {
  const listener = (event: StorageEvent) => {
    if (event.storageArea !== null && event.storageArea !== localStorage) return
    const change = toCrossTabChange(event, profileId)
    if (change !== 'none') onChange(change)
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
