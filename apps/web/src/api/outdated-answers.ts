import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * A response that was under way when its query was invalidated may be stale, but TanStack Query would cache it as
 * fresh: refetch.
 */
export function refetchOutdatedAnswers(client: QueryClient): void {
  const outdated = new WeakSet<Query>()
  const refetchQuery = (query: Query) => {
    if (outdated.delete(query)) void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const isUnderWay = query.state.fetchStatus !== 'idle'
    if (action.type === 'fetch') outdated.delete(query)
    else if (action.type === 'invalidate' && isUnderWay) outdated.add(query)
    else if (action.type === 'success' && action.manual && isUnderWay) {
      outdated.add(query)
      queueMicrotask(() => refetchQuery(query))
    } else if (action.type === 'success' && !action.manual) queueMicrotask(() => refetchQuery(query))
  })
}
