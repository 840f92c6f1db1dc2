import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { ChevronsUpDown, LayoutGrid, Search } from 'lucide-react'
import { Link, NavLink, useLocation } from 'react-router'
import { useCachedAccounts } from '../../features/accounts/accounts.queries.ts'
import { TrellisMark } from '../../ui/brand/TrellisMark.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Face } from '../../ui/data/Avatar.tsx'
import { Kbd } from '../../ui/data/Kbd.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { Tooltip } from '../../ui/overlays/Tooltip.tsx'
import { accountTabPath, listAccountTabs } from '../account-tabs.ts'
import type { RouteLocation } from '../router-paths.ts'
import { helpAreas, homeAreas, workspaceAreas, type Area } from './areas.ts'
import styles from './shell.module.css'
import { currentAccountTab, findCurrentArea, findWorkspace, groupAreas, pathInWorkspace } from './sidebar-lines.ts'

interface SidebarProps {
  place: RouteLocation
  isCollapsed?: boolean
  onSearch: () => void
}

export function Sidebar({ place, isCollapsed = false, onSearch }: SidebarProps) {
  return (
    <nav aria-label="Main" className={styles.sidebar} data-collapsed={isCollapsed}>
      <WorkspaceSwitcher place={place} areas={workspaceAreas} />
      <Tooltip text="Search" side="right">
        <button type="button" className={styles.search} onClick={onSearch}>
          <Search aria-hidden />
          <span>Search</span>
          <span aria-hidden>
            <Kbd keys="mod+k" />
          </span>
        </button>
      </Tooltip>
      <Lines areas={homeAreas} />
      {place.workspace !== undefined && <Lines areas={workspaceAreas} base={pathInWorkspace(place, '')} />}
      <AccountLines place={place} />
      <span className={styles.fill} />
      <Lines areas={helpAreas} />
    </nav>
  )
}

function Lines({ areas, base = '' }: { areas: readonly Area[]; base?: string }) {
  const { pathname } = useLocation()
  const current = findCurrentArea(areas, pathname.slice(base.length))
  return groupAreas(areas).map(({ group, areas: lines }) => (
    <div key={group ?? ''} className={styles.lines}>
      {group && <div className={styles.group}>{group}</div>}
      {lines.map(({ title, path, icon: Icon }) => (
        <Link
          key={path}
          to={base + path}
          className={classNames(styles.link)}
          title={title}
          aria-current={current?.path === path ? 'page' : undefined}
        >
          <Icon aria-hidden />
          <span className={styles.label}>{title}</span>
        </Link>
      ))}
    </div>
  ))
}

function AccountLines({ place }: { place: RouteLocation }) {
  const { pathname, search } = useLocation()
  const account = useCachedAccounts().find((candidate) => candidate.trellis_code === place.account)
  if (!account) return null
  const tabs = listAccountTabs(account)
  const current = currentAccountTab(account.trellis_code, { pathname, search })
  return (
    <div className={styles.lines} role="group" aria-label={`Account ${account.name}`}>
      <div className={styles.group} title={account.name}>
        Account · {account.name}
      </div>
      {tabs.map(({ value, label, title = label, icon: Icon }) => (
        <Link
          key={value}
          to={accountTabPath(account.trellis_code, value)}
          className={classNames(styles.link)}
          title={title}
          aria-current={value === current ? 'page' : undefined}
        >
          <Icon aria-hidden />
          <span className={styles.label}>{title}</span>
        </Link>
      ))}
    </div>
  )
}

function WorkspaceSwitcher({ place, areas }: { place: RouteLocation; areas: readonly Area[] }) {
  const accounts = useCachedAccounts()
  const current = findWorkspace(accounts, place)
  const account = accounts.find((candidate) => candidate.trellis_code === place.account)
  const landing = areas[0]
  if (!landing) {
    return (
      <NavLink
        to="/workspaces"
        className={classNames(styles.brand)}
        aria-label="Trellis, all workspaces"
        aria-current={false}
      >
        <TrellisMark size={22} />
        <span className={styles.brandText}>Trellis</span>
      </NavLink>
    )
  }
  const groups = accounts.map((account) =>
    account.workspaces.map((workspace) => ({
      label: workspace.name,
      note: account.name,
      isSelected: workspace === current,
      to: pathInWorkspace({ account: account.trellis_code, workspace: workspace.workspace_address }, landing.path),
    })),
  )
  return (
    <Menu
      label="Workspaces"
      groups={[
        ...groups.filter((group) => group.length > 0),
        ...(account ? [accountItems(account)] : []),
        [{ label: 'All workspaces', icon: <LayoutGrid aria-hidden />, to: '/workspaces' }],
      ]}
      trigger={(props) => (
        <button type="button" {...props} className={styles.brand}>
          {current ? <Face name={current.name} isSquare /> : <TrellisMark size={22} />}
          <span className={styles.brandText}>{current?.name ?? 'Trellis'}</span>
          <span className="visually-hidden">, switch workspace</span>
          <ChevronsUpDown aria-hidden className={styles.brandChevron} />
        </button>
      )}
    />
  )
}

const accountItems = (account: Account) =>
  listAccountTabs(account).map(({ value, label, title = label, icon: Icon }) => ({
    label: title,
    note: account.name,
    icon: <Icon aria-hidden />,
    to: accountTabPath(account.trellis_code, value),
  }))
