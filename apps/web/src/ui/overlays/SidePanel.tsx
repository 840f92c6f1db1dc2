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
  footer?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A panel that slides in from the right. */
export function SidePanel({ title, isWide = false, isLocked = false, footer, onClose, children }: PanelProps) {
  const id = useId()
  return (
    <Modal
      labelledBy={id}
      isLocked={isLocked}
      onClose={onClose}
      className={classNames(styles.dialog, styles.side, isWide && styles.sideWide)}
    >
      <header className={styles.dialogHead}>
        <h2 id={id}>{title}</h2>
        <IconButton label="Close" icon={<X aria-hidden />} disabled={isLocked} onClick={onClose} />
      </header>
      <div className={styles.dialogBody}>{children}</div>
      {footer && <footer className={styles.dialogFoot}>{footer}</footer>}
    </Modal>
  )
}
