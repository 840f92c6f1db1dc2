import { Filter, MAX_FILTERS } from '@trellis/contract/explorer/filters'
import { useMemo } from 'react'
import { useAddress } from '../../../ui/data/use-address.ts'
import * as z from 'zod/mini'
import { getNextSort } from '../../../ui/data/table-view.ts'
import type { RowsView } from '../rows.queries.ts'

const Filters = z.array(Filter).check(z.maxLength(MAX_FILTERS))

/** From the URL; invalid filters are ignored. */
export function readView(params: URLSearchParams): RowsView {
  const sort = params.get('sort')
  let filters: Filter[] = []
  try {
    filters = z.parse(Filters, JSON.parse(params.get('filters') ?? '[]'))
  } catch {
    filters = []
  }
  return { filters, sort: sort ? { key: sort, direction: params.get('dir') === 'desc' ? 'desc' : 'asc' } : null }
}

export function writeView(params: URLSearchParams, { filters, sort }: RowsView): URLSearchParams {
  for (const name of ['filters', 'sort', 'dir']) params.delete(name)
  if (filters.length > 0) params.set('filters', JSON.stringify(filters))
  if (sort) params.set('sort', sort.key)
  if (sort?.direction === 'desc') params.set('dir', 'desc')
  return params
}

export function useRowsView() {
  const { params, change: changeAddress } = useAddress()
  const text = params.toString()
  const view = useMemo(() => readView(new URLSearchParams(text)), [text])
  const change = (next: Partial<RowsView>) => changeAddress((now) => writeView(now, { ...readView(now), ...next }))
  return {
    ...view,
    setFilters: (filters: readonly Filter[]) => change({ filters }),
    sortBy: (key: string) => change({ sort: getNextSort(view.sort, key) }),
  }
}
