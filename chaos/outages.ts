/** Times without Postgres or without a worker, when no run could be taken over. */
export interface Outages {
  set(what: 'postgres' | 'workers', isDown: boolean): void
  between(from: number, to: number): number
}

export function watchOutages(): Outages {
  const down = new Set<string>()
  const spans: { from: number; to: number }[] = []
  let since: number | undefined
  return {
    set: (what, isDown) => {
      if (isDown) down.add(what)
      else down.delete(what)
      if (down.size > 0) since ??= Date.now()
      else if (since !== undefined) {
        spans.push({ from: since, to: Date.now() })
        since = undefined
      }
    },
    between: (from, to) =>
      [...spans, ...(since === undefined ? [] : [{ from: since, to: Date.now() }])].reduce(
        (sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)),
        0,
      ),
  }
}
