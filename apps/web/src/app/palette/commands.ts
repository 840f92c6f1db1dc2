import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { isPlanOver } from '@trellis/contract/billing/plans'
import { accountTabPath, listAccountTabs } from '../account-tabs.ts'
import type { RouteLocation } from '../router-paths.ts'
import type { Area } from '../shell/areas.ts'
import { pathInWorkspace } from '../shell/sidebar-lines.ts'

export interface PageCommand {
  id: string
  title: string
  note?: string
  to: string
  letter?: string | undefined
  keywords?: readonly string[]
}

interface CommandSources {
  place: RouteLocation
  accounts: readonly Account[]
  areas: { home: readonly Area[]; workspace: readonly Area[]; help: readonly Area[] }
}

const PROFILE_PAGES: readonly PageCommand[] = [
  { id: 'profile', title: 'Profile settings', to: '/profile/settings' },
  { id: 'password', title: 'Change password', to: '/profile/password' },
  { id: 'security', title: 'Security and sessions', to: '/profile/security' },
  { id: 'invites', title: 'My invites', to: '/profile/invites' },
  {
    id: 'tokens',
    title: 'Personal access tokens',
    to: '/profile/tokens',
    keywords: ['api key', 'api token', 'credentials'],
  },
]

const WORKSPACE_PAGES: readonly { title: string; path: string; keywords?: readonly string[] }[] = [
  { title: 'Connect a platform', path: '/integrations/create' },
  {
    title: 'Running queries',
    path: '/explorer/queries',
    keywords: ['sessions', 'locks', 'cancel', 'stop', 'activity'],
  },
  { title: 'Query history', path: '/explorer/queries/history', keywords: ['past queries', 'sql log'] },
  { title: 'Query limits', path: '/explorer/queries/limits', keywords: ['row limit', 'timeout'] },
  { title: 'AI projects', path: '/ai/projects', keywords: ['assistant', 'business context', 'synonyms'] },
  { title: 'New spark', path: '/sparks/new', keywords: ['report', 'dashboard', 'chart', 'template'] },
  { title: 'AI chats', path: '/ai/chats', keywords: ['assistant', 'conversations', 'questions', 'ask'] },
]

export function pageCommands({ place, accounts, areas }: CommandSources): PageCommand[] {
  const line = (area: Area, to: string): PageCommand => ({ id: to, title: area.title, to, letter: area.letter })
  const landing = areas.workspace[0]
  return [
    ...areas.home.map((area) => line(area, area.path)),
    ...(place.workspace === undefined
      ? []
      : [
          ...areas.workspace.map((area) => line(area, pathInWorkspace(place, area.path))),
          ...WORKSPACE_PAGES.map(({ title, path, keywords = [] }) => {
            const to = pathInWorkspace(place, path)
            return { id: `page ${to}`, title, to, keywords }
          }),
        ]),
    ...accounts
      .filter(({ trellis_code }) => place.account === undefined || place.account === trellis_code)
      .flatMap(accountCommands),
    ...PROFILE_PAGES,
    ...areas.help.map((area) => line(area, area.path)),
    ...(landing ? accounts.flatMap((account) => workspaceCommands(account, landing)) : []),
  ]
}

function accountCommands(account: Account): PageCommand[] {
  if (isPlanOver(account, new Date())) return []
  return listAccountTabs(account).map(({ value, label, title = label, keywords }) => {
    const to = accountTabPath(account.trellis_code, value)
    return { id: `account ${account.trellis_code}`, title, note: account.name, to, keywords }
  })
}

function workspaceCommands(account: Account, landing: Area): PageCommand[] {
  return account.workspaces.map((workspace) => {
    const to = pathInWorkspace({ account: account.trellis_code, workspace: workspace.workspace_address }, landing.path)
    return { id: `workspace ${to}`, title: workspace.name, note: account.name, to }
  })
}
