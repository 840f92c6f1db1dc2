import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useCachedAccounts } from '../../features/accounts/accounts.queries.ts'
import { useProfile } from '../../features/profile/profile.queries.ts'
import { Drawer } from '../../ui/overlays/Dialog.tsx'
import { parsePath } from '../router-paths.ts'
import { watchSession } from '../session/session.ts'
import { useAppliedTheme, usePreferredTheme } from '../theme/use-theme.ts'
import { withLastWorkspace, rememberWorkspace } from './last-workspace.ts'
import styles from './shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { useTrail } from './use-back.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useSidebar } from './use-sidebar.ts'

const KeyboardHelp = lazy(async () => ({ default: (await import('./KeyboardHelp.tsx')).KeyboardHelp }))
const Palette = lazy(() => import('../palette/Palette.tsx'))

type OverlayKind = 'palette' | 'help' | 'drawer'

/** The URL changes a moment before the page does; a dialog opened in between belongs to the new page. */
const readPageKey = () => (history.state as { key?: string } | null)?.key ?? 'default'

export function Component() {
  const profile = useProfile()
  const { pathname, search, key: locationKey } = useLocation()
  const accounts = useCachedAccounts()
  const routeLocation = withLastWorkspace(parsePath(pathname), accounts, pathname.startsWith('/profile/'))
  const tab = new URLSearchParams(search).get('tab')
  const mode = useAppliedTheme(usePreferredTheme(profile))
  const sidebar = useSidebar()
  const [overlay, setOverlay] = useState<{ kind: OverlayKind; pageKey: string } | null>(null)
  const contentRef = useRef<HTMLElement>(null)
  const openKind = overlay?.kind
  const openOverlay = (kind: OverlayKind) => setOverlay({ kind, pageKey: readPageKey() })
  const closeOverlay = () => setOverlay(null)

  useTrail()
  useShortcuts({
    place: routeLocation,
    onPalette: () => (openKind === 'palette' ? closeOverlay() : openOverlay('palette')),
    onSidebar: sidebar.toggle,
    onHelp: () => openOverlay('help'),
  })
  useEffect(() => watchSession(profile.id), [profile.id])
  useEffect(() => rememberWorkspace(parsePath(pathname)), [pathname])
  useEffect(() => setOverlay((current) => (current?.pageKey === locationKey ? current : null)), [locationKey])
  useEffect(() => {
    if (location.hash === '') contentRef.current?.scrollTo({ top: 0 })
  }, [pathname, tab])

  usePageFocus({ content: contentRef, pathname, isCovered: overlay !== null })

  return (
    <div className={styles.shell} data-collapsed={sidebar.isCollapsed}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <Sidebar place={routeLocation} isCollapsed={sidebar.isCollapsed} onSearch={() => openOverlay('palette')} />
      <div className={styles.sheet}>
        <TopBar
          mode={mode}
          onSidebar={sidebar.toggle}
          onDrawer={() => openOverlay('drawer')}
          onHelp={() => openOverlay('help')}
        />
        <main ref={contentRef} id="content" tabIndex={-1} className={styles.content}>
          <Outlet />
        </main>
      </div>
      {openKind === 'drawer' && (
        <Drawer label="Navigation" onClose={closeOverlay}>
          <Sidebar place={routeLocation} onSearch={() => openOverlay('palette')} />
        </Drawer>
      )}
      <Suspense>
        {openKind === 'help' && <KeyboardHelp onClose={closeOverlay} />}
        {openKind === 'palette' && (
          <Palette
            place={routeLocation}
            mode={mode}
            onClose={closeOverlay}
            onSidebar={sidebar.toggle}
            onHelp={() => openOverlay('help')}
          />
        )}
      </Suspense>
    </div>
  )
}
