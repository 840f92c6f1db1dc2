import type { ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { parsePath } from '../router-paths.ts'

/** AI pages are always dark. Product and account pages follow the preference. */
export function resolveTheme(preference: ThemeMode, pathname: string): ThemeMode {
  const { workspace, rest } = parsePath(pathname)
  return workspace !== undefined && rest[0] === 'ai' ? 'dark' : preference
}

export function getOtherTheme(mode: ThemeMode): ThemeMode {
  return mode === 'dark' ? 'light' : 'dark'
}
