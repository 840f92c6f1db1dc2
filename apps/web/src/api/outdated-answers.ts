import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Asks again for an answer that was under way when its query was invalidated or got newer data: it may be older than the change.
 * By itself the client takes it for new, puts the older state back and shows it for good.
 */
export function refetchOutdatedAnswers(client: QueryClient): void {
  const outdated = new WeakSet<Query>()
  const askAgain = (query: Query) => {
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
      queueMicrotask(() => askAgain(query))
    } else if (action.type === 'success' && !action.manual) queueMicrotask(() => askAgain(query))
  })
}
