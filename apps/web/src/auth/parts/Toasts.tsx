import { dismissToast, holdToast, releaseToast, useToasts } from './toasts.ts'
import { ToneIcon } from './ToneIcon.tsx'
import styles from './parts.module.css'

export function Toasts() {
  const toasts = useToasts()
  return (
    <div className={styles.toasts} role="region" aria-label="Notifications" aria-live="polite">
      {toasts.map(({ id, tone, text }) => (
        <div
          key={id}
          className={styles.toast}
          role={tone === 'error' ? 'alert' : 'status'}
          onMouseEnter={() => holdToast(id)}
          onMouseLeave={() => releaseToast(id)}
        >
          <ToneIcon tone={tone} />
          <span className={styles.toastText}>{text}</span>
          <button type="button" className={styles.close} aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <svg
              width="12"
              height="12"
              viewBox="0 0 12 12"
              stroke="currentColor"
              strokeWidth="1.4"
              strokeLinecap="round"
              aria-hidden="true"
            >
              <path d="m2.5 2.5 7 7m0-7-7 7" />
            </svg>
          </button>
        </div>
      ))}
    </div>
  )
}
