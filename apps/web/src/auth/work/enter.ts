import { storeToken } from '../../api/token-store.ts'
import { recordActivity } from '../../app/session/idle.ts'
import { initializePath } from '../../app/session/next-path.ts'
import { clearStoredData } from '../../app/session/stored-data.ts'

interface SignIn {
  accessToken: string
  email?: string | undefined
  next?: string | null
}

export function completeSignIn({ accessToken, email, next = null }: SignIn): void {
  clearStoredData()
  storeToken({ access_token: accessToken, email })
  recordActivity()
  location.assign(initializePath(next))
}
