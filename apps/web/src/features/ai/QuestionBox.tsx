import { MAX_QUESTION } from '@trellis/contract/ai/ai.schemas'
import { ArrowUp, Square } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  first?: string
  isBusy: boolean
  /** An answer is being written: the button stops it. */
  onStop?: (() => void) | undefined
  /** True when the question was sent: only then the box is emptied. */
  onAsk: (text: string) => Promise<boolean>
}

/** Enter sends, Shift+Enter starts a new line, Escape stops the answer that is being written. */
export function QuestionBox({ first = '', isBusy, onStop, onAsk }: QuestionBoxProps) {
  const [text, setText] = useState(first)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // On a touch screen the keyboard would cover half of the page.
    if (!matchMedia('(pointer: coarse)').matches) field.current?.focus()
  }, [])
  const canSend = text.trim() !== '' && !isBusy && onStop === undefined
  const send = async () => {
    if (!canSend) return
    const sent = text
    setText('')
    if (!(await onAsk(sent.trim()))) setText((now) => (now === '' ? sent : now))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onStop) {
      event.preventDefault()
      onStop()
    }
    // Enter also ends the choice of a character in Chinese, Japanese and Korean input.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        aria-label="Question"
        placeholder="Ask about your data"
        rows={1}
        maxLength={MAX_QUESTION}
        value={text}
        className={styles.field}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {onStop ? (
        <IconButton label="Stop answer" hint="Esc" icon={<Square aria-hidden />} onClick={onStop} />
      ) : (
        <IconButton
          type="submit"
          label="Send"
          hint="Enter"
          className={styles.send}
          disabled={!canSend}
          aria-busy={isBusy || undefined}
          icon={<ArrowUp aria-hidden />}
        />
      )}
    </form>
  )
}
