import type { ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { parsePath } from '../router-paths.ts'

/** AI pages are dark for everyone. Pages of the product itself and of an account are exempt: there the preference decides. */
export function themeFor(preference: ThemeMode, pathname: string): ThemeMode {
  const { workspace, rest } = parsePath(pathname)
  return workspace !== undefined && rest[0] === 'ai' ? 'dark' : preference
}

export function otherTheme(mode: ThemeMode): ThemeMode {
  return mode === 'dark' ? 'light' : 'dark'
}
