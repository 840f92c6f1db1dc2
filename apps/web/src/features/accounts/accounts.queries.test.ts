import { expect, test } from 'vitest'
import { hasWorkspace } from './accounts.queries.ts'

test('profile settings need an account with a workspace', () => {
  const workspace = {
    trellis_code: 'w',
    name: 'Main',
    workspace_address: 'main',
    account_trellis_code: 'a',
    role: 'workspace_admin' as const,
  }
  expect(hasWorkspace([])).toBe(false)
  expect(hasWorkspace([{ workspaces: [] }])).toBe(false)
  expect(hasWorkspace([{ workspaces: [] }, { workspaces: [workspace] }])).toBe(true)
})
