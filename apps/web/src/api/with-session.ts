import { isSignedOut } from './api-error.ts'
import { refreshOnce } from './refresh.ts'
import { findToken } from './token-store.ts'

export async function withSession<T>(attempt: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = findToken()?.access_token
  try {
    return await attempt(token)
  } catch (error) {
    if (!isSignedOut(error)) throw error
    const fresh = await refreshOnce(token)
    if (fresh === null) throw error
    return await attempt(fresh)
  }
}
