import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { visibleName } from '../core/visible-text.ts'
import { PASSWORD_RULES } from './password-rules.ts'

const PASSWORD_PATTERN_TEXT = 'Password must contain at least a capital letter, a number and a special character'

export const Email = z.string({ error: 'Email is required' }).check(
  z.trim(),
  z.minLength(1, { error: 'Email is required', abort: true }),
  z.maxLength(254, { error: 'Email is not valid', abort: true }),
  z.regex(/^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/, 'Email is not valid'),
  // Characters such as the Kelvin sign fold to a letter when compared: two addresses would be one person.
  z.refine((value) => value === value.normalize('NFKC'), { error: 'Email is not valid' }),
)

/** Stricter than the specified pattern, which accepts passwords that its own message refuses. */
export const NewPassword = z.string({ error: 'Password is required' }).check(
  z.minLength(8, { error: 'Password must be at least 8 characters long', abort: true }),
  z.maxLength(100, { error: 'Password must be at most 100 characters long', abort: true }),
  z.refine((value) => PASSWORD_RULES.every((rule) => rule.isMet(value)), { error: PASSWORD_PATTERN_TEXT }),
)

const personName = (label: string) =>
  z
    .string({ error: `${label} is required` })
    .check(
      z.trim(),
      z.minLength(1, { error: `${label} is required`, abort: true }),
      z.minLength(2, `${label} must be at least 2 characters long`),
      z.maxLength(100, `${label} must be at most 100 characters long`),
      visibleName,
    )

export const FirstName = personName('First name')
export const Surname = personName('Last name')

export const EmailedCode = z
  .string({ error: 'Code is required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Code is required', abort: true }),
    z.regex(/^\d{6}$/, 'The code has 6 digits'),
  )

/** A TOTP code or a recovery code. */
export const SecondFactor = z
  .string({ error: 'Code is required' })
  .check(z.trim(), z.minLength(6, 'The code has 6 digits'), z.maxLength(20, 'The code is too long'))

/** Compared with the stored one; the rule for new passwords does not apply. */
const CurrentPassword = z
  .string({ error: 'Password is required' })
  .check(z.minLength(1, 'Password is required'), z.maxLength(200))

export const Login = z.object({
  email: Email,
  password: CurrentPassword,
  second_factor: z.optional(SecondFactor),
})

export const Signup = z.object({ firstName: FirstName, surname: Surname, email: Email, password: NewPassword })
/** The password is required in a browser other than the one that signed up: it proves that both are the same person. */
export const SignupConfirm = z.object({ email: Email, code: EmailedCode, password: z.optional(CurrentPassword) })
export const ResendCode = z.object({ email: Email })

/** The first call has only the e-mail; the second adds the code and the new password. */
export const ForgotPassword = z.union([
  z.strictObject({ email: Email, confirmation_code: EmailedCode, new_password: NewPassword }),
  z.strictObject({ email: Email }),
])

export const TokenRefresh = z.object({ email: Email })

const Token = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
})

/** Only for clients that asked for it instead of the cookie. */
export const TokenData = z.extend(Token, { refresh_token: z.optional(z.string()) })

export const Identity = z.object({
  code: z.string(),
  email: z.string(),
  first_name: z.string(),
  surname: z.string(),
})

export const Session = z.object({
  id: z.string(),
  device: z.string(),
  ip: z.string(),
  created_at: Instant,
  last_used_at: Instant,
  is_current: z.boolean(),
})

export const SessionParams = z.object({ session_id: z.uuid() })

export const SecondFactorStatus = z.object({ enabled: z.boolean(), recovery_codes_left: z.int() })
export const SecondFactorSetup = z.object({ secret: z.string(), otpauth_url: z.string() })
/** Requires the password, if there is one: a stolen access token must not lock its owner out. */
export const SecondFactorConfirm = z.object({ code: SecondFactor, password: z.optional(CurrentPassword) })
export const SecondFactorDisable = z.object({
  password: z.string().check(z.minLength(1), z.maxLength(200)),
  code: SecondFactor,
})
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const SsoProvider = z.object({ enabled: z.boolean(), name: z.nullable(z.string()) })
/** A sign-in returns a token; OAuth consent for a connection returns where to redirect. */
export const SsoAnswer = z.union([TokenData, z.object({ go_to: z.string() })])

/** Loose: a provider that signs its response signs every parameter of it. */
export const SsoCallbackQuery = z.looseObject({
  state: z.optional(z.string().check(z.maxLength(512))),
  code: z.optional(z.string().check(z.maxLength(4096))),
  auth_code: z.optional(z.string().check(z.maxLength(4096))),
  scope: z.optional(z.string().check(z.maxLength(1024))),
  iss: z.optional(z.string().check(z.maxLength(1024))),
  session_state: z.optional(z.string().check(z.maxLength(1024))),
  error: z.optional(z.string().check(z.maxLength(512))),
  error_description: z.optional(z.string().check(z.maxLength(2048))),
})
