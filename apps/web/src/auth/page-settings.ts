import { useSyncExternalStore } from 'react'

export type PageSetting = 'mailbox' | 'sso' | 'terms-url' | 'privacy-url'

const never = () => () => undefined

export function usePageSetting(name: PageSetting): string | null {
  return useSyncExternalStore(
    never,
    () => document.querySelector<HTMLMetaElement>(`meta[name="trellis-${name}"]`)?.content || null,
    () => null,
  )
}
