import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { classNames } from '../class-names.ts'
import { Modal } from './Dialog.tsx'
import styles from './overlays.module.css'

/** A panel that slides in from the right, for the details of one row. */
export function SidePanel({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const id = useId()
  return (
    <Modal labelledBy={id} onClose={onClose} className={classNames(styles.dialog, styles.side)}>
      <header className={styles.dialogHead}>
        <h2 id={id}>{title}</h2>
        <IconButton label="Close" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <div className={styles.dialogBody}>{children}</div>
    </Modal>
  )
}
