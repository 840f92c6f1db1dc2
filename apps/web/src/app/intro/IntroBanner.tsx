import { CalendarClock, MessagesSquare, X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { findPageSetting } from '../page-setting.ts'
import styles from './intro.module.css'

export function IntroBanner({ storageKey }: { storageKey: string }) {
  const key = `trellis.intro.${storageKey}`
  const [isShown, setShown] = useState(() => localStorage.getItem(key) === null)
  const community = findPageSetting('community-url')
  const booking = findPageSetting('booking-url')
  if (!isShown || (!community && !booking)) return null
  const dismiss = () => {
    localStorage.setItem(key, 'dismissed')
    setShown(false)
  }
  return (
    <aside className={styles.intro} aria-label="Introduction">
      <strong>Find out how Trellis can help you.</strong>
      <span className={styles.links}>
        {community && (
          <a href={community} target="_blank" rel="noreferrer">
            <MessagesSquare aria-hidden />
            Join our community
          </a>
        )}
        {community && booking && <span>Or</span>}
        {booking && (
          <a href={booking} target="_blank" rel="noreferrer">
            <CalendarClock aria-hidden />
            Schedule a call
          </a>
        )}
      </span>
      <IconButton label="Dismiss the introduction" icon={<X aria-hidden />} onClick={dismiss} />
    </aside>
  )
}
