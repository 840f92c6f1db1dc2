import { PanelLeftOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { cacheBreadcrumbName } from '../../../app/shell/breadcrumb-names.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Drawer } from '../../../ui/overlays/Dialog.tsx'
import { DialogHost } from '../dialogs/DialogHost.tsx'
import { useDatabases } from '../explorer.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import styles from './frame.module.css'
import { TreePanel } from './TreePanel.tsx'
import { useIsPhone } from './use-is-phone.ts'
import { NARROWEST, usePanelWidth, WIDEST } from './use-panel-width.ts'

/** The URL has only the database's code. */
function useNamesForCrumbs() {
  const { data } = useDatabases(useExplorer().params)
  useEffect(() => {
    for (const { integration_trellis_code, name } of data ?? []) cacheBreadcrumbName(integration_trellis_code, name)
  }, [data])
}

export function Component() {
  const { pathname } = useLocation()
  const { width, edge } = usePanelWidth()
  const isPhone = useIsPhone()
  const [isDrawn, setDrawn] = useState(false)
  const pane = useRef<HTMLDivElement>(null)
  useNamesForCrumbs()
  useEffect(() => {
    setDrawn(false)
    pane.current?.scrollTo?.({ top: 0 })
  }, [pathname])
  return (
    <DialogHost>
      <div className={styles.frame} style={isPhone ? undefined : { gridTemplateColumns: `${width}px minmax(0, 1fr)` }}>
        {isPhone ? (
          <div className={styles.phoneBar}>
            <Button size="sm" icon={<PanelLeftOpen aria-hidden />} onClick={() => setDrawn(true)}>
              Browse tables
            </Button>
          </div>
        ) : (
          <div className={styles.side}>
            <TreePanel />
            <div
              role="separator"
              aria-label="Width of the tree"
              aria-orientation="vertical"
              aria-valuenow={width}
              aria-valuemin={NARROWEST}
              aria-valuemax={WIDEST}
              tabIndex={0}
              className={styles.edge}
              {...edge}
            />
          </div>
        )}
        <div ref={pane} className={styles.pane}>
          <Outlet />
        </div>
      </div>
      {isPhone && isDrawn && (
        <Drawer label="Tables" onClose={() => setDrawn(false)}>
          <TreePanel />
        </Drawer>
      )}
    </DialogHost>
  )
}
