import { countRows, getCell, previewTable } from '@trellis/contract/explorer/rows.endpoints'
import { PREVIEW_LIMIT, type Preview } from '@trellis/contract/explorer/explorer.schemas'
import type { Filter } from '@trellis/contract/explorer/filters'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { getErrorDetail, type ApiError } from '../../api/api-error.ts'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { tableRef } from './explorer.queries.ts'
import type { TableAddress } from './explorer-paths.ts'

export interface RowsView {
  filters: readonly Filter[]
  sort: { key: string; direction: 'asc' | 'desc' } | null
}

export interface LoadedRows {
  columns: Preview['columns']
  rows: Preview['rows']
  rowsEstimate: number | null
  note: string | null
}

const toFiltersParam = (filters: readonly Filter[]) =>
  filters.length === 0 ? {} : { filters: JSON.stringify(filters) }

/** Keyset pagination: every page costs the same. */
export function useRows(params: WorkspaceAddress, table: TableAddress, { filters, sort }: RowsView) {
  const all = { ...params, ...tableRef(table) }
  const query = {
    limit: PREVIEW_LIMIT,
    ...toFiltersParam(filters),
    ...(sort && { sort: sort.key, direction: sort.direction }),
  }
  return useInfiniteQuery<Preview, ApiError, LoadedRows, readonly unknown[], string | null>({
    queryKey: [previewTable.id, { params: all, query }],
    queryFn: ({ pageParam, signal }) =>
      call(previewTable, { params: all, query: { ...query, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({
      columns: pages[0]?.columns ?? [],
      rows: pages.flatMap((page) => page.rows),
      rowsEstimate: pages[0]?.rows_estimate ?? null,
      note: pages[0]?.note ?? null,
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Keeps the previous rows while the latest request is refused. */
export function useLastGood(rows: LoadedRows | undefined, isRefused: boolean): LoadedRows | undefined {
  const [last, setLast] = useState(rows)
  if (rows && rows !== last) setLast(rows)
  return rows ?? (isRefused ? last : undefined)
}

/** Resets to the first page: an infinite query would refetch every loaded page. */
export function useRestartRows() {
  const client = useQueryClient()
  return () => client.resetQueries({ queryKey: [previewTable.id] })
}

export function useCell(params: WorkspaceAddress, cell: { table: TableAddress; column: string; key: string | null }) {
  const query = apiQuery(getCell, {
    params: { ...params, ...tableRef(cell.table) },
    query: { column: cell.column, key: cell.key ?? '' },
  })
  return useQuery({ ...query, enabled: cell.key !== null, staleTime: 0, gcTime: 0 })
}

export type RowCountState =
  | { state: 'idle' }
  | { state: 'counting'; since: number }
  | { state: 'counted'; rows: number }
  | { state: 'failed'; problem: string }

/** Cancelled when the page is left. */
export function useExactCount(params: WorkspaceAddress, table: TableAddress, filters: readonly Filter[]) {
  const [counting, setCounting] = useState<RowCountState>({ state: 'idle' })
  const running = useRef<AbortController>(null)
  const what = JSON.stringify([table, filters])
  useEffect(() => {
    setCounting({ state: 'idle' })
    return () => running.current?.abort()
  }, [what])
  const start = async () => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setCounting({ state: 'counting', since: Date.now() })
    try {
      const input = { params: { ...params, ...tableRef(table) }, query: toFiltersParam(filters) }
      const { rows } = await call(countRows, input, { signal: stop.signal })
      if (!stop.signal.aborted) setCounting({ state: 'counted', rows })
    } catch (error) {
      if (!stop.signal.aborted) setCounting({ state: 'failed', problem: getErrorDetail(error) })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setCounting({ state: 'idle' })
  }
  return { counting, start: () => void start(), cancel }
}
