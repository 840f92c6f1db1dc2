import * as z from 'zod/mini'

const KEY = 'trellis.recent'
const KEPT = 6

const Recent = z.array(z.object({ title: z.string(), path: z.string() }))
export type RecentPage = z.infer<typeof Recent>[number]

export function withPage(pages: readonly RecentPage[], page: RecentPage): RecentPage[] {
  return [page, ...pages.filter((other) => other.path !== page.path)].slice(0, KEPT)
}

export function readRecent(): RecentPage[] {
  try {
    return z.parse(Recent, JSON.parse(sessionStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

/** sessionStorage: page names may reveal more about a workspace than the next user of this browser should see. */
export function rememberPage(page: RecentPage): void {
  sessionStorage.setItem(KEY, JSON.stringify(withPage(readRecent(), page)))
}
