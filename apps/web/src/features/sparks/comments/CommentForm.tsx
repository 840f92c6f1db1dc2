import { MAX_COMMENT_LENGTH, type SaveSparkCommentRequest } from '@trellis/contract/sparks/spark-comments.schemas'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { type ListedSuggestion, SuggestionList, toOptionId } from '../../../ui/forms/SuggestionList.tsx'
import { useSuggestionList } from '../../../ui/forms/use-suggestion-list.ts'
import { useWhenLoaded } from '../../../ui/forms/use-when-loaded.ts'
import styles from './comments.module.css'
import { filterPeople, findMention, findMentioned, type Mentionable } from './mention-text.ts'

interface CommentFormProps {
  label: string
  submitLabel: string
  first?: string
  /** Includes former members who are mentioned in an edited comment. */
  people: readonly Mentionable[]
  arePeopleLoading: boolean
  hint?: string | undefined
  isBusy: boolean
  onSend: (comment: SaveSparkCommentRequest, onDone: () => void) => void
  onCancel?: () => void
}

export function CommentForm(props: CommentFormProps) {
  const { label, submitLabel, first = '', people, arePeopleLoading, hint, isBusy, onSend, onCancel } = props
  const [text, setText] = useState(first)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const field = useRef<HTMLTextAreaElement>(null)
  const list = usePeopleList(text, people)
  const { caretAfterPick } = list
  useLayoutEffect(() => {
    if (caretAfterPick !== null) field.current?.setSelectionRange(caretAfterPick, caretAfterPick)
  }, [caretAfterPick, text])
  const canSend = text.trim() !== '' && !isBusy
  const { isWaiting, request, cancel } = useWhenLoaded(arePeopleLoading && text.includes('@'), () =>
    onSend({ text: text.trim(), mentions: findMentioned(text, people, picked) }, () => {
      setText('')
      setPicked(new Set())
    }),
  )
  const send = () => {
    if (canSend) request(undefined)
  }
  const pick = ({ id: code, label: name }: ListedSuggestion) => {
    const insert = `@${name} `
    setText(`${text.slice(0, list.start)}${insert}${text.slice(list.caret).replace(/^ /, '')}`)
    setPicked(new Set([...picked, code]))
    list.moveTo(list.start + insert.length, true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter also confirms an IME composition.
    if (event.nativeEvent.isComposing) return
    const isSending = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    const isPick = !isSending && (event.key === 'Enter' || event.key === 'Tab')
    const isHandled = isSending || (list.person !== undefined && (isPick || list.onKey(event.key)))
    if (!isHandled) return
    // Escape closes the list, not the panel.
    event.stopPropagation()
    event.preventDefault()
    if (isSending) send()
    else if (isPick && list.person) pick(list.person)
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Field label={label} hint={hint ?? 'Type @ to mention somebody. Ctrl+Enter sends.'}>
        {(links) => (
          <span className={styles.anchor}>
            <textarea
              {...links}
              ref={field}
              rows={3}
              maxLength={MAX_COMMENT_LENGTH}
              value={text}
              className={styles.field}
              aria-autocomplete="list"
              aria-controls={list.person ? list.id : undefined}
              aria-activedescendant={list.person ? toOptionId(list.id, list.active) : undefined}
              onChange={(event) => {
                cancel()
                setText(event.target.value)
                list.moveTo(event.target.selectionStart)
              }}
              onSelect={(event) => list.moveTo(event.currentTarget.selectionStart)}
              onBlur={list.close}
              onKeyDown={onKeyDown}
            />
            {list.person && (
              <SuggestionList id={list.id} label="People" items={list.offered} active={list.active} onPick={pick} />
            )}
          </span>
        )}
      </Field>
      <div className={styles.actions}>
        <Button type="submit" size="sm" variant="primary" disabled={!canSend} isBusy={isBusy || isWaiting}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button size="sm" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

function usePeopleList(text: string, people: readonly Mentionable[]) {
  const list = useSuggestionList(text)
  const [caretAfterPick, setCaretAfterPick] = useState<number | null>(null)
  const mention = list.isClosed ? null : findMention(text, list.caret)
  const offered = (mention ? filterPeople(people, mention.inputText) : []).map(({ code, name, email }) => ({
    id: code,
    label: name,
    note: email,
  }))
  const keys = list.over(offered.length)
  return {
    ...list,
    ...keys,
    offered,
    person: offered[keys.active],
    caretAfterPick,
    start: mention?.start ?? list.caret,
    moveTo: (index: number, isPicked = false) => {
      list.moveTo(index)
      setCaretAfterPick(isPicked ? index : null)
    },
  }
}
