import type { RouteObject } from 'react-router'
import type { PageHandle } from './shell/page-handle.ts'

/** Type-checks the handle. */
export function page(
  route: Omit<RouteObject, 'handle' | 'index' | 'children'> & { handle: PageHandle; children?: RouteObject[] },
): RouteObject {
  return route
}
