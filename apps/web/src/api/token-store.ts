import * as z from 'zod/mini'

const TOKEN_KEY = 'trellis.token'

/** A token refresh needs the e-mail before any profile is loaded. */
const StoredToken = z.object({ access_token: z.string().check(z.minLength(1)), email: z.optional(z.string()) })
export type StoredToken = z.infer<typeof StoredToken>

export function findToken(): StoredToken | null {
  try {
    const parsed = StoredToken.safeParse(JSON.parse(localStorage.getItem(TOKEN_KEY) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export function storeToken(token: StoredToken): void {
  localStorage.setItem(TOKEN_KEY, JSON.stringify({ access_token: token.access_token, email: token.email }))
}

export function clearToken(): void {
  localStorage.removeItem(TOKEN_KEY)
}

/** After single sign-on the e-mail is known only from the profile. */
export function findStoredEmail(): string | null {
  return findToken()?.email ?? readProfileEmail()
}

function readProfileEmail(): string | null {
  try {
    const profile = JSON.parse(localStorage.getItem('trellis.profile') ?? 'null') as { email?: unknown } | null
    return typeof profile?.email === 'string' ? profile.email : null
  } catch {
    return null
  }
}
