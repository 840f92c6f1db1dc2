import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { account } from '../../../testing/fake-world.ts'
import { listAccountsToAddTo, isAtLimit, NewWorkspaceForm } from './workspace-form.ts'

const problems = (values: object) => {
  const parsed = z.safeParse(NewWorkspaceForm, values)
  return parsed.success
    ? {}
    : Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message]))
}

test('whitespace alone is nothing, and the account must be chosen', () => {
  expect(problems({ account: '', name: '  ', workspace_address: ' ' })).toEqual({
    account: 'Account is required',
    name: 'Field required',
    workspace_address: 'Field required',
  })
})

test('names and addresses keep to their rules', () => {
  expect(problems({ account: 'a', name: 'x'.repeat(60), workspace_address: 'a'.repeat(50) })).toEqual({})
  expect(problems({ account: 'a', name: 'No/slash', workspace_address: 'Upper' })).toEqual({
    name: 'Workspace name may have letters, numbers, spaces, dashes and underscores only',
    workspace_address: 'Workspace address may have lower-case letters and numbers only',
  })
  expect(problems({ account: 'a', name: 'Fine', workspace_address: 'settings' })).toEqual({
    workspace_address: 'This address is used by the product itself. Choose another one.',
  })
})

test('only accounts one may add to, with a plan that runs, are offered', () => {
  const past = '2025-01-01T00:00:00Z'
  const all = [
    account('Mine', []),
    account('Administered', [], { role: 'account_admin' }),
    account('Visited', [], { role: 'account_view' }),
    account('Over', [], { stripe_plan_end_date: past, stripe_plan_cancelled_at: past }),
  ]
  expect(listAccountsToAddTo(all, new Date()).map((item) => item.name)).toEqual(['Mine', 'Administered'])
})

test('no limit is never reached, and an unknown one does not stop anybody', () => {
  const limits = [
    { account_trellis_code: 'a', workspaces: 1, workspaces_limit: 1 },
    { account_trellis_code: 'b', workspaces: 99, workspaces_limit: null },
  ]
  expect(['a', 'b', 'c'].map((code) => isAtLimit(limits, code))).toEqual([true, false, false])
  expect(isAtLimit(undefined, 'a')).toBe(false)
})
