import { matchRoutes, type RouteObject } from 'react-router'

const asked = new Set<string>()

function prefetchPath(routes: RouteObject[], pathname: string): void {
  if (asked.has(pathname)) return
  asked.add(pathname)
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    if (typeof route.lazy === 'function') void route.lazy().catch(() => asked.delete(pathname))
  }
}

export function watchLinks(routes: RouteObject[]): () => void {
  const onHint = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (link && link.origin === location.origin && !link.hasAttribute('download')) prefetchPath(routes, link.pathname)
  }
  document.addEventListener('pointerover', onHint, { passive: true })
  document.addEventListener('focusin', onHint)
  return () => {
    document.removeEventListener('pointerover', onHint)
    document.removeEventListener('focusin', onHint)
  }
}
