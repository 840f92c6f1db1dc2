import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { Menu, type MenuItem } from '../overlays/Menu.tsx'
import styles from './grid.module.css'

/** Below the rows: what the page has to say about them, and what is chosen. */
export function GridFoot({ count, items, children }: { count: number; items: MenuItem[]; children: ReactNode }) {
  return (
    <div className={styles.foot}>
      <div className={styles.footText}>{children}</div>
      {count > 0 && (
        <Menu
          label="Copy"
          side="top"
          align="end"
          groups={[items]}
          trigger={(props) => (
            <Button {...props} size="sm" variant="ghost" icon={<Copy aria-hidden />}>
              {count === 1 ? 'Copy cell' : `Copy ${count.toLocaleString('en-US')} cells`}
            </Button>
          )}
        />
      )}
    </div>
  )
}
