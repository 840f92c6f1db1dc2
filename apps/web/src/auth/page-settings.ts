import { useSyncExternalStore } from 'react'

/** What the server tells the public pages about this installation, as meta tags named `trellis-…`. */
export type PageSetting = 'mailbox' | 'sso' | 'terms-url' | 'privacy-url'

const never = () => () => undefined

export function usePageSetting(name: PageSetting): string | null {
  return useSyncExternalStore(
    never,
    () => document.querySelector<HTMLMetaElement>(`meta[name="trellis-${name}"]`)?.content || null,
    () => null,
  )
}
