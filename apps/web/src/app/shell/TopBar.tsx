import { ArrowLeft, CircleHelp, LogOut, Menu as MenuIcon, Moon, PanelLeft, Settings, Sun } from 'lucide-react'
import type { ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { useMatches, useNavigation } from 'react-router'
import { hasWorkspace, useCachedAccounts } from '../../features/accounts/accounts.queries.ts'
import { NotificationBell } from '../../features/notifications/NotificationBell.tsx'
import { fullName, useChangeTheme, useProfile } from '../../features/profile/profile.queries.ts'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { AvatarMenu } from '../../ui/data/Avatar.tsx'
import { Kbd } from '../../ui/data/Kbd.tsx'
import { Breadcrumbs } from '../../ui/layout/Breadcrumbs.tsx'
import { logout } from '../session/session.ts'
import { getOtherTheme } from '../theme/theme-mode.ts'
import { useBreadcrumbNames } from './breadcrumb-names.ts'
import { findBackPath, buildCrumbs } from './page-handle.ts'
import styles from './shell.module.css'
import { useBack } from './use-back.ts'

interface TopBarProps {
  mode: ThemeMode
  onSidebar: () => void
  onDrawer: () => void
  onHelp: () => void
}

export function TopBar({ mode, onSidebar, onDrawer, onHelp }: TopBarProps) {
  const matches = useMatches()
  useBreadcrumbNames()
  const back = findBackPath(matches)
  const isLoading = useNavigation().state !== 'idle'
  return (
    <header className={styles.topbar}>
      <span className={styles.onPhone}>
        <IconButton label="Open navigation" icon={<MenuIcon aria-hidden />} onClick={onDrawer} />
      </span>
      <span className={styles.onDesk}>
        <IconButton
          label="Show or hide the sidebar"
          hint={<Kbd keys="mod+b" />}
          icon={<PanelLeft aria-hidden />}
          onClick={onSidebar}
        />
      </span>
      {back !== undefined && <BackButton fallback={back} />}
      <div className={styles.topbarCrumbs}>
        <Breadcrumbs crumbs={buildCrumbs(matches)} />
      </div>
      <div className={styles.topbarEnd}>
        <span className={styles.onDesk}>
          <IconButton
            label="Keyboard shortcuts"
            hint={<Kbd keys="?" />}
            icon={<CircleHelp aria-hidden />}
            onClick={onHelp}
          />
        </span>
        <NotificationBell />
        <ThemeToggle mode={mode} />
        <ProfileMenu />
      </div>
      {isLoading && <div className={styles.progress} role="progressbar" aria-label="Loading the page" />}
    </header>
  )
}

function BackButton({ fallback }: { fallback: string }) {
  return <IconButton label="Back" icon={<ArrowLeft aria-hidden />} onClick={useBack(fallback)} />
}

function ThemeToggle({ mode }: { mode: ThemeMode }) {
  const changeTheme = useChangeTheme()
  const next = getOtherTheme(mode)
  return (
    <IconButton
      label={`Switch to the ${next} theme`}
      icon={mode === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
      onClick={() => changeTheme(next)}
    />
  )
}

function ProfileMenu() {
  const profile = useProfile()
  const canOpenSettings = hasWorkspace(useCachedAccounts())
  return (
    <AvatarMenu
      name={fullName(profile)}
      email={profile.email}
      groups={[
        [
          {
            label: 'Profile settings',
            icon: <Settings aria-hidden />,
            to: '/profile/settings',
            isDisabled: !canOpenSettings,
            ...(!canOpenSettings && { note: 'Opens once you have a workspace' }),
          },
        ],
        [{ label: 'Logout', icon: <LogOut aria-hidden />, onSelect: () => void logout() }],
      ]}
    />
  )
}
