import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { AUTH_PATHS } from '../../auth/auth-location.ts'
import { NotFoundPage } from '../errors/ErrorPage.tsx'
import { requireMember, requireSignedIn } from '../router-guards.ts'
import { routes } from '../router.tsx'

const promised = readFileSync(join(import.meta.dirname, 'promised-routes.txt'), 'utf8')
  .trim()
  .split('\n')

const match = (path: string) => matchRoutes(routes, path.replaceAll(/[:*]\w*/g, 'x')) ?? []
const isAuthPath = (path: string) => AUTH_PATHS.some((knownAuthPath) => knownAuthPath === path)

test('all 69 addresses of the specification lead to a page', () => {
  expect(new Set(promised).size).toBe(69)
  const missing = promised.filter((path) => {
    if (isAuthPath(path)) return false
    const page = match(path).at(-1)?.route
    return !page || page.Component === NotFoundPage || !(page.lazy ?? page.element)
  })
  expect(missing).toEqual([])
})

test('an unknown address below an account is answered only after the account was checked', () => {
  const matches = match('/:account/:workspace/unknown')
  expect(matches.at(-1)?.route.Component).toBe(NotFoundPage)
  const guards = matches.map(({ route }) => route.loader)
  expect(guards).toContain(requireSignedIn)
  expect(guards).toContain(requireMember)
})
