import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { RouteLocation } from '../router-paths.ts'
import type { Area } from './areas.ts'

type Address = Pick<RouteLocation, 'account' | 'workspace'>

export function pathInWorkspace({ account, workspace }: Address, path: string): string {
  return `/${account}/${workspace}${path}`
}

export function groupAreas(areas: readonly Area[]): { group: string | undefined; areas: Area[] }[] {
  const groups: { group: string | undefined; areas: Area[] }[] = []
  for (const area of areas) {
    const last = groups.at(-1)
    if (last && last.group === area.group) last.areas.push(area)
    else groups.push({ group: area.group, areas: [area] })
  }
  return groups
}

const isBelow = (pathname: string, path: string): boolean => pathname === path || pathname.startsWith(`${path}/`)

/** The longest matching path wins. */
export function findCurrentArea(areas: readonly Area[], pathname: string): Area | undefined {
  const matches = areas.flatMap((area) =>
    [area.path, area.also].flatMap((path) => (path !== undefined && isBelow(pathname, path) ? [{ area, path }] : [])),
  )
  return matches.toSorted((match, other) => other.path.length - match.path.length)[0]?.area
}

export function findWorkspace(accounts: readonly Account[], { account, workspace }: Address) {
  return accounts
    .find((candidate) => candidate.trellis_code === account)
    ?.workspaces.find((candidate) => candidate.workspace_address === workspace)
}

export function currentAccountTab(
  account: string,
  { pathname, search }: { pathname: string; search: string },
): string | null {
  const [first, page, tab] = pathname.split('/').filter(Boolean)
  if (first !== account) return null
  if (page === 'plan-change') return 'plan-utilization'
  if (page !== 'settings') return null
  return tab ?? new URLSearchParams(search).get('tab') ?? 'details'
}
