import { X } from 'lucide-react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { INVALID_EMAIL, isEmail, isFinished, withTyped } from './email-list.ts'
import styles from './add.module.css'

interface Props {
  emails: readonly string[]
  inputText: string
  onChange: (part: { emails?: readonly string[]; inputText?: string }) => void
}

export function EmailChips({ emails, inputText, onChange }: Props) {
  const isWrong = emails.some((email) => !isEmail(email))
  const take = (text: string) => onChange({ emails: withTyped(emails, text), inputText: '' })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && inputText.trim() !== '') {
      event.preventDefault()
      take(inputText)
    } else if (event.key === 'Backspace' && inputText === '') onChange({ emails: emails.slice(0, -1) })
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!isFinished(text)) return
    event.preventDefault()
    take(`${inputText}${text}`)
  }
  return (
    <div className={styles.step}>
      <Field
        label="Email addresses"
        hint="Separate several with commas, spaces or new lines."
        error={isWrong ? INVALID_EMAIL : undefined}
      >
        {(links) => (
          <div className={styles.chips} data-invalid={isWrong}>
            {emails.map((email) => (
              <span key={email} className={styles.chip} data-invalid={!isEmail(email)}>
                {email}
                <button
                  type="button"
                  aria-label={`Remove ${email}`}
                  onClick={() => onChange({ emails: emails.filter((candidate) => candidate !== email) })}
                >
                  <X aria-hidden />
                </button>
              </span>
            ))}
            <input
              {...links}
              type="text"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus
              placeholder={emails.length === 0 ? 'name@company.com' : ''}
              value={inputText}
              onChange={(event) =>
                isFinished(event.target.value) ? take(event.target.value) : onChange({ inputText: event.target.value })
              }
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
          </div>
        )}
      </Field>
      {isWrong && <Banner tone="danger">Please add a valid email address.</Banner>}
    </div>
  )
}
