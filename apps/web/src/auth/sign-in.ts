import { initializePath, parseNextPath } from '../app/session/next-path.ts'

export const LOGIN_FAILED = 'An error occurred during login.'
export const ACTIVATION_FAILED = 'An error occurred during login. Please try again.'
export const RESET_FAILED = 'Oops! Something went wrong, try again.'

export function readNextPath(search: string): string | null {
  return parseNextPath(new URLSearchParams(search).get('next'), location.origin)
}

export function enterAgain(next: string | null): void {
  location.replace(initializePath(next))
}
