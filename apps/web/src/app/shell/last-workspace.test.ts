import { afterEach, expect, test } from 'vitest'
import { account } from '../../testing/fake-world.ts'
import { parsePath } from '../router-paths.ts'
import { withLastWorkspace, rememberWorkspace } from './last-workspace.ts'

const accounts = [account('Northwind', ['Growth', 'Finance']), account('Acme', ['Main'])]
const shown = (path: string) => {
  const { account: code, workspace } = withLastWorkspace(parsePath(path), accounts, path.startsWith('/profile/'))
  return [code, workspace]
}

afterEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

test('pages of an account keep the workspace one came from', () => {
  rememberWorkspace(parsePath('/northwind/finance/explorer'))
  rememberWorkspace(parsePath('/acme/main/dashboard'))
  expect(shown('/northwind/settings')).toEqual(['northwind', 'finance'])
  expect(shown('/acme/plan-change')).toEqual(['acme', 'main'])
  expect(shown('/profile/settings')).toEqual(['acme', 'main'])
})

test('without a visit the only workspace of the account is shown, and none of several', () => {
  expect(shown('/acme/settings')).toEqual(['acme', 'main'])
  expect(shown('/northwind/settings')).toEqual(['northwind', undefined])
  expect(shown('/profile/settings')).toEqual([undefined, undefined])
})

test('a workspace that is gone or not theirs is not shown', () => {
  rememberWorkspace(parsePath('/northwind/gone/dashboard'))
  expect(shown('/northwind/settings')).toEqual(['northwind', undefined])
})

test('the list of all workspaces belongs to none', () => {
  rememberWorkspace(parsePath('/acme/main/dashboard'))
  expect(shown('/workspaces')).toEqual([undefined, undefined])
})

test('each tab keeps its own; a new one begins with the latest', () => {
  rememberWorkspace(parsePath('/northwind/growth/dashboard'))
  localStorage.setItem('trellis.last-workspaces', JSON.stringify([{ account: 'northwind', workspace: 'finance' }]))
  expect(shown('/northwind/settings')).toEqual(['northwind', 'growth'])
  sessionStorage.clear()
  expect(shown('/northwind/settings')).toEqual(['northwind', 'finance'])
})
