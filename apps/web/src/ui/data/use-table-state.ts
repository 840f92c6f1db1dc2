import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useUrlText } from './use-url-text.ts'
import { sortOfText, textOfSort, type Sort } from './table-view.ts'

export interface TableState {
  query: string
  sort: Sort | null
  setQuery: (query: string) => void
  setSort: (sort: Sort | null) => void
}

/** Search and sort kept in the address, so a list can be shared and comes back after reload. */
export function useUrlTableState(): TableState {
  const [params, setParams] = useSearchParams()
  const [query, setQuery] = useUrlText('q')
  const put = (name: string, value: string | null) =>
    setParams(
      (old) => {
        if (value) old.set(name, value)
        else old.delete(name)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return {
    query,
    sort: sortOfText(params.get('sort')),
    setQuery,
    setSort: (sort) => put('sort', textOfSort(sort)),
  }
}

export function useLocalTableState(): TableState {
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  return { query, sort, setQuery, setSort }
}
