import { useEffect, useState } from 'react'
import styles from './parts.module.css'

const COOL_DOWN_SECONDS = 30

interface ResendButtonProps {
  onSend: () => Promise<boolean>
  isDisabled: boolean
  /** The previous page has just sent a code. */
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
