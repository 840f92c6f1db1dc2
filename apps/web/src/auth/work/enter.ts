import { storeToken } from '../../api/token-store.ts'
import { noteActivity } from '../../app/session/idle.ts'
import { initializePath } from '../../app/session/next-path.ts'
import { clearStoredData } from '../../app/session/stored-data.ts'

interface SignIn {
  accessToken: string
  email?: string | undefined
  next?: string | null
}

export function enter({ accessToken, email, next = null }: SignIn): void {
  clearStoredData()
  storeToken({ access_token: accessToken, email })
  noteActivity()
  location.assign(initializePath(next))
}
