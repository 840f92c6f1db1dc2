import { MAX_QUESTION } from '@trellis/contract/ai/ai.schemas'
import { ArrowUp, Square } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { SuggestionList, toOptionId } from '../../../ui/forms/SuggestionList.tsx'
import { useSuggestionList } from '../../../ui/forms/use-suggestion-list.ts'
import { rejectLargeFiles } from '../documents/document-files.ts'
import { AttachButton } from './AttachButton.tsx'
import { findTrigger, type Suggestion } from './find-trigger.ts'
import styles from './question-box.module.css'
import { useSuggestions } from './use-suggestions.ts'

interface QuestionBoxProps {
  first?: string
  /** Restored by the up arrow in an empty box. */
  last?: string
  isBusy: boolean
  isListBelow?: boolean
  onStop?: (() => void) | undefined
  /** Clears the box only after success. */
  onAsk: (text: string) => Promise<boolean>
  onAttach: (files: readonly File[], text: string) => void
  isAttaching: boolean
}

export function QuestionBox(props: QuestionBoxProps) {
  const { first = '', last = '', isBusy, isListBelow = false, onStop, onAsk, isAttaching } = props
  const [text, setText] = useState(first)
  const [isDropping, setDropping] = useState(false)
  const attach = (files: readonly File[]) => {
    const accepted = rejectLargeFiles(files)
    if (accepted.length > 0) props.onAttach(accepted, text)
  }
  const field = useRef<HTMLTextAreaElement>(null)
  const menu = useMenu(text)
  useEffect(() => {
    // On a touch screen the keyboard would cover half the page.
    if (!matchMedia('(pointer: coarse)').matches) field.current?.focus()
  }, [])
  const canSend = text.trim() !== '' && !isBusy && onStop === undefined
  const send = async () => {
    if (!canSend) return
    const sent = text
    setText('')
    if (!(await onAsk(sent.trim()))) setText((now) => (now === '' ? sent : now))
  }
  const pick = ({ insert }: Suggestion) => {
    const { start, caret } = menu
    const next = `${text.slice(0, start)}${insert}${text.slice(caret)}`
    setText(next)
    menu.moveTo(start + insert.length)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter also confirms an IME composition.
    if (event.nativeEvent.isComposing) return
    const { suggestion } = menu
    if (suggestion && menu.onKey(event.key)) return event.preventDefault()
    if (suggestion && (event.key === 'Tab' || (event.key === 'Enter' && !menu.isComplete))) {
      event.preventDefault()
      return pick(suggestion)
    }
    if (event.key === 'Escape' && onStop) {
      event.preventDefault()
      onStop()
    }
    if (event.key === 'ArrowUp' && text === '' && last !== '') {
      event.preventDefault()
      setText(last)
    }
    if (event.key !== 'Enter' || event.shiftKey) return undefined
    event.preventDefault()
    return void send()
  }
  return (
    <form
      className={styles.box}
      data-dropping={isDropping}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {menu.suggestion && (
        <SuggestionList
          id={menu.id}
          label="Suggestions"
          items={menu.suggestions}
          active={menu.active}
          isAbove={!isListBelow}
          onPick={pick}
        />
      )}
      <AttachButton isBusy={isAttaching} onFiles={attach} />
      <textarea
        ref={field}
        aria-label="Question"
        aria-autocomplete="list"
        aria-controls={menu.suggestion ? menu.id : undefined}
        aria-activedescendant={menu.suggestion ? toOptionId(menu.id, menu.active) : undefined}
        placeholder="Ask about your data. Type / for actions, @ for tables"
        rows={1}
        maxLength={MAX_QUESTION}
        value={text}
        className={styles.field}
        onChange={(event) => {
          setText(event.target.value)
          menu.moveTo(event.target.selectionStart)
        }}
        onSelect={(event) => menu.moveTo(event.currentTarget.selectionStart)}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          setDropping(true)
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={(event) => {
          event.preventDefault()
          setDropping(false)
          attach([...event.dataTransfer.files])
        }}
        onPaste={(event) => {
          if (event.clipboardData.files.length > 0) attach([...event.clipboardData.files])
        }}
        onBlur={menu.close}
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

function useMenu(text: string) {
  const list = useSuggestionList(text)
  const trigger = list.isClosed ? null : findTrigger(text, list.caret)
  const suggestions = useSuggestions(trigger)
  const keys = list.over(suggestions.length)
  const suggestion = suggestions[keys.active]
  return {
    ...list,
    ...keys,
    suggestions,
    suggestion,
    start: trigger?.start ?? list.caret,
    isComplete: suggestion !== undefined && text.slice(trigger?.start ?? 0).trim() === suggestion.insert.trim(),
  }
}
