import type { ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { Command } from 'cmdk'
import { Clock, CornerDownLeft, FileText, Keyboard, Link2, LogOut, PanelLeft, Search, SunMoon, Zap } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useCachedAccounts } from '../../features/accounts/accounts.queries.ts'
import { useChangeTheme } from '../../features/profile/profile.queries.ts'
import { Kbd } from '../../ui/data/Kbd.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { BareDialog } from '../../ui/overlays/Dialog.tsx'
import type { RouteLocation } from '../router-paths.ts'
import { logout } from '../session/session.ts'
import { helpAreas, homeAreas, workspaceAreas } from '../shell/areas.ts'
import { getOtherTheme } from '../theme/theme-mode.ts'
import { pageCommands } from './commands.ts'
import { listPageActions } from './page-actions.ts'
import styles from './palette.module.css'
import { PaletteLine } from './PaletteLine.tsx'
import { readRecent } from './recent.ts'
import { TableHits } from './TableHits.tsx'
import { WorksheetHits } from './WorksheetHits.tsx'

interface PaletteProps {
  place: RouteLocation
  mode: ThemeMode
  onClose: () => void
  onSidebar: () => void
  onHelp: () => void
}

export default function Palette({ place, mode, onClose, onSidebar, onHelp }: PaletteProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const accounts = useCachedAccounts()
  const changeTheme = useChangeTheme()
  const [words, setWords] = useState('')
  const pages = pageCommands({
    place,
    accounts,
    areas: { home: homeAreas, workspace: workspaceAreas, help: helpAreas },
  })
  const recent = readRecent().filter((page) => page.path !== pathname)
  const actions = listPageActions().filter((action) => action.run !== undefined)
  const run = (act: () => void) => () => {
    onClose()
    act()
  }
  const go = (to: string) => run(() => void navigate(to))
  return (
    <BareDialog label="Search and commands" onClose={onClose}>
      <Command loop className={styles.palette} label="Search and commands">
        <div className={styles.head}>
          <Search aria-hidden />
          <Command.Input
            placeholder={
              place.workspace === undefined
                ? 'Search pages and commands'
                : 'Search pages, tables, worksheets and commands'
            }
            value={words}
            onValueChange={setWords}
            data-autofocus
            className={styles.input}
          />
          <Kbd keys="esc" />
        </div>
        <Command.List className={styles.list}>
          <Command.Empty className={styles.empty}>Nothing matches these words.</Command.Empty>
          {actions.length > 0 && (
            <Command.Group heading="On this page">
              {actions.map(({ id, title, keys, run: act }) => (
                <PaletteLine
                  key={id}
                  id={`page ${id}`}
                  title={title}
                  icon={<Zap aria-hidden />}
                  onSelect={run(() => act?.())}
                >
                  {keys !== undefined && <Kbd keys={keys} />}
                </PaletteLine>
              ))}
            </Command.Group>
          )}
          {recent.length > 0 && (
            <Command.Group heading="Recent">
              {recent.map((page) => (
                <PaletteLine
                  key={page.path}
                  id={`recent ${page.path}`}
                  title={page.title}
                  icon={<Clock aria-hidden />}
                  onSelect={go(page.path)}
                />
              ))}
            </Command.Group>
          )}
          <TableHits place={place} words={words} onGo={go} />
          <WorksheetHits place={place} words={words} onGo={go} />
          <Command.Group heading="Go to">
            {pages.map((page) => (
              <PaletteLine
                key={`${page.id} ${page.to}`}
                id={`${page.id} ${page.note ?? ''}`}
                title={page.title}
                note={page.note}
                keywords={page.keywords}
                icon={<FileText aria-hidden />}
                onSelect={go(page.to)}
              >
                {page.letter && (
                  <>
                    <Kbd keys="g" />
                    <Kbd keys={page.letter} />
                  </>
                )}
              </PaletteLine>
            ))}
          </Command.Group>
          <Command.Group heading="Do">
            <PaletteLine
              id="theme"
              title={`Switch to the ${getOtherTheme(mode)} theme`}
              icon={<SunMoon aria-hidden />}
              onSelect={run(() => changeTheme(getOtherTheme(mode)))}
            />
            <PaletteLine
              id="sidebar"
              title="Show or hide the sidebar"
              icon={<PanelLeft aria-hidden />}
              onSelect={run(onSidebar)}
            >
              <Kbd keys="mod+b" />
            </PaletteLine>
            <PaletteLine
              id="link"
              title="Copy a link to this page"
              icon={<Link2 aria-hidden />}
              onSelect={run(copyLink)}
            />
            <PaletteLine id="keys" title="Keyboard shortcuts" icon={<Keyboard aria-hidden />} onSelect={run(onHelp)}>
              <Kbd keys="?" />
            </PaletteLine>
            <PaletteLine id="logout" title="Logout" icon={<LogOut aria-hidden />} onSelect={run(() => void logout())} />
          </Command.Group>
        </Command.List>
        <div className={styles.foot}>
          <CornerDownLeft aria-hidden /> to choose
        </div>
      </Command>
    </BareDialog>
  )
}

function copyLink(): void {
  void navigator.clipboard.writeText(location.href).then(() => showToast({ tone: 'success', text: 'Link copied.' }))
}
