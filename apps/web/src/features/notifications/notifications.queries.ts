import {
  listNotifications,
  readNotifications,
  updateDigest,
} from '@trellis/contract/notifications/notifications.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { isIdle } from '../../app/session/idle.ts'

const LOOK_MS = 60_000
const AWAY_MS = 10 * 60_000

/** Does not poll in a hidden tab, which would discover the end of its own session. */
export function useNotifications() {
  return useQuery({ ...apiQuery(listNotifications, {}), refetchInterval: () => (isIdle(AWAY_MS) ? false : LOOK_MS) })
}

export const useMarkNotificationsRead = () => useApiMutation(readNotifications, { invalidates: [listNotifications] })
export const useUpdateDigest = () => useApiMutation(updateDigest, { invalidates: [listNotifications] })
