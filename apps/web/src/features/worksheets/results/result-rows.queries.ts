import * as calls from '@trellis/contract/sql/sql.endpoints'
import { RESULT_PAGE, type ResultPage, type Statement } from '@trellis/contract/sql/sql.schemas'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import type { ResultRows } from '../sql.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'

/** Keeps the tab responsive; exports have all rows. */
export const MAX_BROWSER_ROWS = 200_000
const PAGE_ROWS = 5000

export interface LoadedRows {
  readonly rows: ResultRows
  /** Rows stored on the server, up to the query's row limit. */
  readonly keptRows: number
  readonly isComplete: boolean
  readonly isLoading: boolean
  readonly problem: string | null
  loadMore(): void
  loadAll(): void
}

interface ResultAt {
  readonly jobId: string
  readonly statement: number
  readonly result: Statement
  readonly firstRows: ResultRows
}

export function useResultRows({ jobId, statement, result, firstRows }: ResultAt): LoadedRows {
  const { params } = useWorksheets()
  const all = { ...params, job_id: jobId, statement }
  const first = Math.min(RESULT_PAGE, firstRows.length)
  const [isAll, setAll] = useState(false)
  const isDone = result.status !== 'running' && result.status !== 'waiting'
  const { data, hasNextPage, isFetching, isError, error, fetchNextPage } = useInfiniteQuery<
    ResultPage,
    ApiError,
    ResultPage['rows'],
    readonly unknown[],
    number
  >({
    queryKey: [calls.getResultPage.id, all, first],
    queryFn: ({ pageParam, signal }) =>
      call(calls.getResultPage, { params: all, query: { first_row: pageParam, limit: PAGE_ROWS } }, { signal }),
    initialPageParam: first,
    getNextPageParam: (page) => {
      const next = page.first_row + page.rows.length
      return next < Math.min(page.total_rows, MAX_BROWSER_ROWS) ? next : undefined
    },
    select: ({ pages }) => pages.flatMap((page) => page.rows),
    enabled: isDone && result.columns !== null && result.rows > first,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (isAll && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isAll, hasNextPage, isFetching, isError, fetchNextPage])
  const rows = useMemo(() => (data ? [...firstRows.slice(0, first), ...data] : firstRows), [firstRows, data, first])
  return {
    rows,
    keptRows: result.rows,
    isComplete: isDone && rows.length >= result.rows,
    isLoading: isFetching,
    problem: error ? error.detail : null,
    loadMore: () => {
      if (hasNextPage && !isFetching) void fetchNextPage()
    },
    loadAll: () => setAll(true),
  }
}
