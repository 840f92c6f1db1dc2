import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { IconButton } from '../actions/IconButton.tsx'
import styles from './toasts.module.css'
import { dismissToast, TOAST_MS, useToasts, listVisibleToasts, type Toast, type ToastTone } from './toasts.ts'

const ICONS: Record<ToastTone, ReactNode> = {
  success: <CircleCheck aria-hidden />,
  danger: <CircleAlert aria-hidden />,
  warning: <TriangleAlert aria-hidden />,
  info: <Info aria-hidden />,
}

/** The only place toasts are drawn. It is lifted above dialogs again for each new toast. */
export function Toasts() {
  const all = useToasts()
  const layer = useRef<HTMLDivElement>(null)
  const { corner, centre } = listVisibleToasts(all)
  const newest = all.at(-1)?.id
  useLayoutEffect(() => {
    const element = layer.current
    if (newest === undefined) return
    if (element?.matches(':popover-open')) element.hidePopover()
    element?.showPopover?.()
  }, [newest])
  return (
    <div ref={layer} popover="manual" className={styles.layer} role="region" aria-label="Notifications">
      <div className={styles.corner} role="log" aria-live="polite" aria-relevant="additions">
        {corner.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
      {centre && (
        <div className={styles.centre}>
          <ToastCard key={centre.id} toast={centre} />
        </div>
      )}
    </div>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const close = () => {
    dismissToast(toast.id)
    toast.onDismiss?.()
  }
  useEffect(() => {
    if (isHeld || toast.place === 'centre') return undefined
    const timer = setTimeout(() => dismissToast(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [isHeld, toast])
  return (
    <div
      className={styles.toast}
      data-tone={toast.tone}
      role={toast.tone === 'danger' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {ICONS[toast.tone]}
      <div className={styles.text}>
        <span>{toast.text}</span>
        {toast.detail && <span className={styles.detail}>{toast.detail}</span>}
      </div>
      {toast.action && (
        <Button
          size="sm"
          onClick={() => {
            close()
            toast.action?.onSelect()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton size="sm" label="Dismiss" icon={<X aria-hidden />} onClick={close} />
    </div>
  )
}
