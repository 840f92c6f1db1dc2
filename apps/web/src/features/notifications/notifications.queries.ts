import {
  listNotifications,
  readNotifications,
  updateDigest,
} from '@trellis/contract/notifications/notifications.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

const LOOK_MS = 60_000

/** A bell that can't be asked stays quiet: nothing on the page depends on it. */
export function useNotifications() {
  return useQuery({ ...apiQuery(listNotifications, {}), refetchInterval: LOOK_MS })
}

export const useReadNotifications = () => useApiMutation(readNotifications, { invalidates: [listNotifications] })
export const useUpdateDigest = () => useApiMutation(updateDigest, { invalidates: [listNotifications] })
