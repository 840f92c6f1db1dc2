import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { classNames } from '../class-names.ts'
import styles from './overlays.module.css'

let openModals = 0

/** Keeps the page behind from scrolling. `html:has(dialog[open])` would be matched anew for every change of any page. */
function holdPage(): () => void {
  const { dataset } = document.documentElement
  openModals += 1
  dataset['modal'] = ''
  return () => {
    openModals -= 1
    if (openModals === 0) delete dataset['modal']
  }
}

/**
 * The browser's own modal: it holds the focus, makes the page behind it inert and gives the focus back.
 * Render it while it is open. An element marked `data-autofocus` gets the focus first.
 */
export function Modal({
  label,
  labelledBy,
  className,
  isLocked = false,
  onClose,
  children,
}: {
  label?: string
  labelledBy?: string
  className: string | undefined
  isLocked?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    const release = holdPage()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      element?.close()
      release()
    }
  }, [])
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isLocked) onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      aria-labelledby={labelledBy}
      className={className}
      onCancel={onCancel}
      onKeyDown={(event) => event.key === 'Escape' && onCancel(event)}
      onPointerDown={(event) => event.target === event.currentTarget && !isLocked && onClose()}
    >
      {children}
    </dialog>
  )
}

/** `isLocked` while work is under way: Escape and a click outside then do nothing. */
export function Dialog({
  title,
  size = 'sm',
  footer,
  isLocked = false,
  onClose,
  children,
}: {
  title: string
  size?: 'sm' | 'md' | 'lg'
  footer?: ReactNode
  isLocked?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <Modal
      labelledBy={id}
      isLocked={isLocked}
      onClose={onClose}
      className={classNames(styles.dialog, size !== 'sm' && styles[size])}
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

/** A modal without a frame of its own, for the command palette. */
export function BareDialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal label={label} onClose={onClose} className={classNames(styles.dialog, styles.bare)}>
      {children}
    </Modal>
  )
}

/** A panel that slides in from the left, for navigation on phones. */
export function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal label={label} onClose={onClose} className={styles.drawer}>
      {children}
    </Modal>
  )
}
