import { EllipsisVertical } from 'lucide-react'
import { IconButton } from '../actions/IconButton.tsx'
import { Menu, type MenuItem } from '../overlays/Menu.tsx'
import styles from './data.module.css'

/** The menu at the end of a table's row. Clicks and keys in it must not reach the row, which would open or move. */
export function RowActions({ label, groups }: { label: string; groups: readonly (readonly MenuItem[])[] }) {
  return (
    <div
      role="presentation"
      className={styles.rowActions}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Menu
        label={label}
        align="end"
        groups={groups}
        trigger={(props) => <IconButton {...props} size="sm" label={label} icon={<EllipsisVertical aria-hidden />} />}
      />
    </div>
  )
}
