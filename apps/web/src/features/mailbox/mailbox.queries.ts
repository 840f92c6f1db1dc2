import { getMailboxMessage, listMailbox } from '@trellis/contract/mailbox/mailbox.endpoints'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ApiError } from '../../api/api-error.ts'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'

const LOOK_AGAIN_MS = 4000
const PAGE = 50

interface Access {
  token: string | undefined
}

const toAccessQuery = ({ token }: Access) => (token === undefined ? {} : { token })

export function useMailbox({ token, search }: Access & { search: string }) {
  return useInfiniteQuery({
    queryKey: [listMailbox.id, token, search],
    queryFn: ({ pageParam, signal }) =>
      call(
        listMailbox,
        {
          query: {
            ...toAccessQuery({ token }),
            ...(search && { search }),
            ...(pageParam !== null && { before_id: pageParam }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    refetchInterval: (query) => (query.state.error ? false : LOOK_AGAIN_MS),
    retry: (failures, error) => failures < 1 && (error as ApiError).status !== 404,
  })
}

export function useMailboxMessage({ token, id }: Access & { id: number }) {
  return useQuery(apiQuery(getMailboxMessage, { params: { message_id: id }, query: toAccessQuery({ token }) }))
}
