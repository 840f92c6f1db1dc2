import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { classNames } from '../class-names.ts'
import { Modal } from './Dialog.tsx'
import styles from './overlays.module.css'

interface PanelProps {
  title: ReactNode
  /** Wide for work in several steps; otherwise for the details of one row. */
  isWide?: boolean
  /** While work is under way: Escape and a click outside then do nothing. */
  isLocked?: boolean
  /** For a panel that loads what it shows: otherwise the focus would begin on Close. */
  isTitleFocused?: boolean
  footer?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A panel that slides in from the right. */
export function SidePanel({
  title,
  isWide = false,
  isLocked = false,
  isTitleFocused = false,
  footer,
  onClose,
  children,
}: PanelProps) {
  const id = useId()
  const focused = isTitleFocused ? { tabIndex: -1, 'data-autofocus': true } : {}
  return (
    <Modal
      labelledBy={id}
      isLocked={isLocked}
      onClose={onClose}
      className={classNames(styles.dialog, styles.side, isWide && styles.sideWide)}
    >
      <header className={styles.dialogHead}>
        <h2 id={id} {...focused}>
          {title}
        </h2>
        <IconButton label="Close" icon={<X aria-hidden />} disabled={isLocked} onClick={onClose} />
      </header>
      <div className={styles.dialogBody}>{children}</div>
      {footer && <footer className={styles.dialogFoot}>{footer}</footer>}
    </Modal>
  )
}
