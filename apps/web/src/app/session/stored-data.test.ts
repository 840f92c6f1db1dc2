import { beforeEach, describe, expect, test } from 'vitest'
import { account, profile } from './session-samples.ts'
import {
  clearStoredData,
  readAccounts,
  readProfile,
  readWorkspaces,
  storeAccounts,
  storeProfile,
} from './stored-data.ts'

beforeEach(() => localStorage.clear())

describe.each([
  ['profile', readProfile],
  ['accounts', readAccounts],
  ['workspaces', readWorkspaces],
])('stored %s', (what, read) => {
  test('missing', () => {
    expect(read()).toEqual({ ok: false, problem: `No stored ${what} found` })
  })

  test.each(['{', 'null', '42', '{"id":"1"}', '[{}]'])('invalid: %s', (text) => {
    localStorage.setItem(`trellis.${what}`, text)
    expect(read()).toEqual({ ok: false, problem: `Invalid stored ${what} data` })
  })
})

test('what is stored comes back, until it is cleared', () => {
  storeProfile(profile)
  storeAccounts([account])
  expect(readProfile()).toEqual({ ok: true, value: profile })
  expect(readAccounts()).toEqual({ ok: true, value: [account] })
  expect(readWorkspaces()).toEqual({ ok: true, value: account.workspaces })
  clearStoredData()
  expect([readProfile().ok, readAccounts().ok, readWorkspaces().ok]).toEqual([false, false, false])
})

test('a person without accounts has an empty list, not a missing one', () => {
  storeAccounts([])
  expect(readAccounts()).toEqual({ ok: true, value: [] })
  expect(readWorkspaces()).toEqual({ ok: true, value: [] })
})
