import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Asks again after an answer that was under way when its query was invalidated: it may be older than the change. By itself the
 * client joins a first answer that is under way, and takes it for new.
 */
export function refetchLateAnswers(client: QueryClient): void {
  const outdated = new WeakSet<Query>()
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'fetch') outdated.delete(query)
    else if (action.type === 'invalidate' && query.state.fetchStatus !== 'idle') outdated.add(query)
    else if (action.type === 'success' && !action.manual && outdated.delete(query)) {
      queueMicrotask(() => void client.invalidateQueries({ queryKey: query.queryKey, exact: true }))
    }
  })
}
