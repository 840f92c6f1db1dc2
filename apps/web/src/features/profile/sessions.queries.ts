import { endAllSessions, endSession, listSessions } from '@trellis/contract/identity/identity.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { logoutLocally } from '../../app/session/session.ts'

export function useSessions() {
  return useQuery(apiQuery(listSessions, {}))
}

export function useEndSession() {
  return useApiMutation(endSession, {
    invalidates: [listSessions],
    successText: 'Session signed out.',
    errorText: 'The session could not be signed out. Please try again.',
  })
}

/** The current session ends too, so the browser forgets it. */
export function useEndAllSessions() {
  return useApiMutation(endAllSessions, {
    onSuccess: () => logoutLocally({ notice: { tone: 'success', text: 'You are signed out everywhere.' } }),
    errorText: 'Signing out everywhere did not work. Please try again.',
  })
}
