import { useEffect, useState } from 'react'
import styles from './parts.module.css'

const COOL_DOWN_SECONDS = 30

interface ResendButtonProps {
  /** Sends a new code; false when that failed, and then no waiting is asked for. */
  onSend: () => Promise<boolean>
  isDisabled: boolean
  /** A code has just been sent by the page before. */
  startsCooling: boolean
}

export function ResendButton({ onSend, isDisabled, startsCooling }: ResendButtonProps) {
  const [left, setLeft] = useState(startsCooling ? COOL_DOWN_SECONDS : 0)
  const [isSending, setSending] = useState(false)

  useEffect(() => {
    if (left === 0) return undefined
    const tick = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(tick)
  }, [left])

  const send = async () => {
    setSending(true)
    if (await onSend()) setLeft(COOL_DOWN_SECONDS)
    setSending(false)
  }
  return (
    <button
      type="button"
      className={styles.textButton}
      disabled={isDisabled || isSending || left > 0}
      onClick={() => void send()}
    >
      {left > 0 ? `Send a new code in ${left} s` : 'Send a new code'}
    </button>
  )
}
