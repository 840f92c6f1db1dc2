import { AUDIT_PAGE, listAudit, type AuditLine } from '@trellis/contract/audit/audit.endpoints'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'

export interface AuditFilter {
  action: string
  outcome: AuditLine['outcome'] | ''
  search: string
}

/** Paged by line number, so that new lines shift nothing. */
export function useAudit(account_trellis_code: string, filter: AuditFilter) {
  const query = {
    ...(filter.action && { action: filter.action }),
    ...(filter.outcome && { outcome: filter.outcome }),
    ...(filter.search && { search: filter.search }),
  }
  return useInfiniteQuery<AuditLine[], ApiError, AuditLine[], readonly unknown[], number | undefined>({
    queryKey: [listAudit.id, { params: { account_trellis_code }, query }],
    queryFn: ({ pageParam, signal }) =>
      call(
        listAudit,
        { params: { account_trellis_code }, query: { ...query, ...(pageParam && { before_seq: pageParam }) } },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.length < AUDIT_PAGE ? undefined : page.at(-1)?.seq),
    select: ({ pages }) => pages.flat(),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
