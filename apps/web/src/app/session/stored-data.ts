import { Account, AccountWorkspace } from '@trellis/contract/accounts/accounts.schemas'
import { Profile } from '@trellis/contract/profile/profile.schemas'
import * as z from 'zod/mini'
import { clearVisits } from '../shell/last-workspace.ts'
import { PROFILE_KEY } from './stored-keys.ts'

export type StoredResult<T> = { ok: true; value: T } | { ok: false; problem: string }

const ACCOUNTS_KEY = 'trellis.accounts'
const WORKSPACES_KEY = 'trellis.workspaces'

export type StoredWorkspace = z.infer<typeof AccountWorkspace>

const Accounts = z.array(Account)
const Workspaces = z.array(AccountWorkspace)

export function readProfile(): StoredResult<Profile> {
  return read(PROFILE_KEY, 'profile', Profile)
}

export function readAccounts(): StoredResult<Account[]> {
  return read(ACCOUNTS_KEY, 'accounts', Accounts)
}

export function readWorkspaces(): StoredResult<StoredWorkspace[]> {
  return read(WORKSPACES_KEY, 'workspaces', Workspaces)
}

export function storeProfile(profile: Profile): void {
  localStorage.setItem(PROFILE_KEY, JSON.stringify(profile))
}

export function storeAccounts(accounts: readonly Account[]): void {
  localStorage.setItem(ACCOUNTS_KEY, JSON.stringify(accounts))
  localStorage.setItem(WORKSPACES_KEY, JSON.stringify(accounts.flatMap((account) => account.workspaces)))
}

export function clearStoredData(): void {
  for (const key of [PROFILE_KEY, ACCOUNTS_KEY, WORKSPACES_KEY]) localStorage.removeItem(key)
  clearVisits()
}

export function parseProfile(text: string | null): StoredResult<Profile> {
  return parse(text, 'profile', Profile)
}

function read<S extends z.core.$ZodType>(key: string, what: string, schema: S): StoredResult<z.core.output<S>> {
  return parse(localStorage.getItem(key), what, schema)
}

function parse<S extends z.core.$ZodType>(
  text: string | null,
  what: string,
  schema: S,
): StoredResult<z.core.output<S>> {
  if (text === null) return { ok: false, problem: `No stored ${what} found` }
  const parsed = z.safeParse(schema, parseJson(text))
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: `Invalid stored ${what} data` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
