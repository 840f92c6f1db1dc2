import { storeToken } from '../api/token-store.ts'
import { noteActivity } from '../app/session/idle.ts'
import { initializePath, nextPathOf } from '../app/session/next-path.ts'
import { clearStoredData } from '../app/session/stored-data.ts'

export const LOGIN_FAILED = 'An error occurred during login.'
export const ACTIVATION_FAILED = 'An error occurred during login. Please try again.'
export const RESET_FAILED = 'Oops! Something went wrong, try again.'

interface SignIn {
  accessToken: string
  email?: string | undefined
  next?: string | null
}

/** Keeps the token and leaves for the signed-in app. What an earlier person left in this browser goes first. */
export function enter({ accessToken, email, next = null }: SignIn): void {
  clearStoredData()
  storeToken({ access_token: accessToken, email })
  noteActivity()
  location.assign(initializePath(next))
}

export function nextOf(search: string): string | null {
  return nextPathOf(new URLSearchParams(search).get('next'), location.origin)
}

/** For somebody whose profile is still stored in this browser. */
export function enterAgain(search: string): void {
  location.replace(initializePath(nextOf(search)))
}
