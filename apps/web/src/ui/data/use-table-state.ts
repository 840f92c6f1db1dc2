import { useState } from 'react'
import { useAddress } from './use-address.ts'
import { useUrlText } from './use-url-text.ts'
import { parseSort, formatSort, type Sort } from './table-view.ts'

export interface TableState {
  query: string
  sort: Sort | null
  setQuery: (query: string) => void
  setSort: (sort: Sort | null) => void
}

/** Search and sort kept in the address, so a list can be shared and comes back after reload. */
export function useUrlTableState(): TableState {
  const { params, put } = useAddress()
  const [query, setQuery] = useUrlText('q')
  return {
    query,
    sort: parseSort(params.get('sort')),
    setQuery,
    setSort: (sort) => put({ sort: formatSort(sort) }),
  }
}

export function useLocalTableState(): TableState {
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  return { query, sort, setQuery, setSort }
}
