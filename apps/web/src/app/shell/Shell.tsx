import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useCachedAccounts } from '../../features/accounts/accounts.queries.ts'
import { useProfile } from '../../features/profile/profile.queries.ts'
import { Drawer } from '../../ui/overlays/Dialog.tsx'
import { parsePath } from '../router-paths.ts'
import { watchSession } from '../session/session.ts'
import { useAppliedTheme, usePreferredTheme } from '../theme/use-theme.ts'
import { storeWorkspace, rememberWorkspace } from './last-workspace.ts'
import styles from './shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { useTrail } from './use-back.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useSidebar } from './use-sidebar.ts'

const KeyboardHelp = lazy(async () => ({ default: (await import('./KeyboardHelp.tsx')).KeyboardHelp }))
const Palette = lazy(() => import('../palette/Palette.tsx'))

type LayerKind = 'palette' | 'help' | 'drawer'

/** The URL changes a moment before the page does; a dialog opened in between belongs to the new page. */
const readPageKey = () => (history.state as { key?: string } | null)?.key ?? 'default'

export function Component() {
  const profile = useProfile()
  const { pathname, search, key } = useLocation()
  const accounts = useCachedAccounts()
  const routeLocation = storeWorkspace(parsePath(pathname), accounts, pathname.startsWith('/profile/'))
  const tab = new URLSearchParams(search).get('tab')
  const mode = useAppliedTheme(usePreferredTheme(profile))
  const sidebar = useSidebar()
  const [opened, setOpened] = useState<{ kind: LayerKind; page: string } | null>(null)
  const content = useRef<HTMLElement>(null)
  const layer = opened?.kind
  const open = (kind: LayerKind) => setOpened({ kind, page: readPageKey() })
  const close = () => setOpened(null)

  useTrail()
  useShortcuts({
    place: routeLocation,
    onPalette: () => (layer === 'palette' ? close() : open('palette')),
    onSidebar: sidebar.toggle,
    onHelp: () => open('help'),
  })
  useEffect(() => watchSession(profile.id), [profile.id])
  useEffect(() => rememberWorkspace(parsePath(pathname)), [pathname])
  useEffect(() => setOpened((layer) => (layer?.page === key ? layer : null)), [key])
  useEffect(() => {
    if (location.hash === '') content.current?.scrollTo({ top: 0 })
  }, [pathname, tab])

  usePageFocus({ content, pathname, isCovered: opened !== null })

  return (
    <div className={styles.shell} data-collapsed={sidebar.isCollapsed}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <Sidebar place={routeLocation} isCollapsed={sidebar.isCollapsed} onSearch={() => open('palette')} />
      <div className={styles.sheet}>
        <TopBar mode={mode} onSidebar={sidebar.toggle} onDrawer={() => open('drawer')} onHelp={() => open('help')} />
        <main ref={content} id="content" tabIndex={-1} className={styles.content}>
          <Outlet />
        </main>
      </div>
      {layer === 'drawer' && (
        <Drawer label="Navigation" onClose={close}>
          <Sidebar place={routeLocation} onSearch={() => open('palette')} />
        </Drawer>
      )}
      <Suspense>
        {layer === 'help' && <KeyboardHelp onClose={close} />}
        {layer === 'palette' && (
          <Palette
            place={routeLocation}
            mode={mode}
            onClose={close}
            onSidebar={sidebar.toggle}
            onHelp={() => open('help')}
          />
        )}
      </Suspense>
    </div>
  )
}
