import * as z from 'zod/mini'
import { FirstName, NewPassword, Surname } from '../identity/identity.schemas.ts'

export const ThemeMode = z.enum(['light', 'dark'], { error: 'This field is required' })
export type ThemeMode = z.infer<typeof ThemeMode>

export const Profile = z.object({
  id: z.int(),
  trellis_user_code: z.string(),
  first_name: z.string(),
  surname: z.string(),
  email: z.string(),
  has_password: z.boolean(),
  preferences: z.object({ themeMode: ThemeMode }),
  flags: z.record(z.string(), z.boolean()),
})
export type Profile = z.infer<typeof Profile>

/** Set once a theme was chosen explicitly. The default is light, so dark is always a choice. */
export const THEME_CHOSEN_FLAG = 'theme_chosen'

export const hasChosenTheme = ({ preferences, flags }: Pick<Profile, 'preferences' | 'flags'>): boolean =>
  preferences.themeMode === 'dark' || flags[THEME_CHOSEN_FLAG] === true

export const ProfilePatch = z.object({
  firstName: z.optional(FirstName),
  surname: z.optional(Surname),
  preferences: z.optional(z.object({ themeMode: ThemeMode })),
})

/** State the web keeps across devices: dismissed banners, finished tours. */
export const FlagsPatch = z
  .record(z.string().check(z.regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'Flag names are lower-case words')), z.boolean())
  .check(z.refine((flags) => Object.keys(flags).length <= 50, { error: 'At most 50 flags at once' }))

export const PasswordChange = z.object({
  current_password: z
    .string({ error: 'Current password is required' })
    .check(z.minLength(1, 'Current password is required'), z.maxLength(200)),
  new_password: NewPassword,
  /** Personal access tokens stay valid by default. */
  revoke_tokens: z.optional(z.boolean()),
})
