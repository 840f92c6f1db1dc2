import type { RouteObject } from 'react-router'
import type { PageHandle } from './shell/page-handle.ts'

/** A route with what it tells the shell; a misspelt word in the handle does not compile. */
export function page(
  route: Omit<RouteObject, 'handle' | 'index' | 'children'> & { handle: PageHandle; children?: RouteObject[] },
): RouteObject {
  return route
}
