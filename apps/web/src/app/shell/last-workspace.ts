import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { RouteLocation } from '../router-paths.ts'
import { findWorkspace } from './sidebar-lines.ts'

const LAST_KEY = 'trellis.last-workspaces'

interface Visit {
  account: string
  workspace: string
}

type Visits = readonly Visit[]

const MAX_VISITS = 20

/** Visits of this tab take precedence over those of other tabs. */
function readVisits(): Visits {
  return [sessionStorage, localStorage].flatMap((storage) => {
    try {
      const kept: unknown = JSON.parse(storage.getItem(LAST_KEY) ?? '[]')
      return Array.isArray(kept) ? (kept as Visit[]) : []
    } catch {
      return []
    }
  })
}

export function rememberWorkspace({ account, workspace }: RouteLocation): void {
  if (account === undefined || workspace === undefined) return
  const others = readVisits().filter((visit, at, all) => {
    return visit.account !== account && all.findIndex((candidate) => candidate.account === visit.account) === at
  })
  const visits = JSON.stringify([{ account, workspace }, ...others].slice(0, MAX_VISITS))
  sessionStorage.setItem(LAST_KEY, visits)
  localStorage.setItem(LAST_KEY, visits)
}

export function clearVisits(): void {
  sessionStorage.removeItem(LAST_KEY)
  localStorage.removeItem(LAST_KEY)
}

/** Pages without a workspace in the URL keep the last one visited, or the only one there is. */
export function withLastWorkspace(
  location: RouteLocation,
  accounts: readonly Account[],
  isProfile: boolean,
): RouteLocation {
  if (location.workspace !== undefined || (location.account === undefined && !isProfile)) return location
  const visited = readVisits().find(
    (visit) =>
      (location.account === undefined || visit.account === location.account) &&
      findWorkspace(accounts, visit) !== undefined,
  )
  if (visited) return { ...location, ...visited }
  const knownWorkspaces = accounts.find(({ trellis_code }) => trellis_code === location.account)?.workspaces ?? []
  return knownWorkspaces.length === 1 ? { ...location, workspace: knownWorkspaces[0]?.workspace_address } : location
}
