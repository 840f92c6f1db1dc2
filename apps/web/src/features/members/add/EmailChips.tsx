import { X } from 'lucide-react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { INVALID_EMAIL, isEmail, isFinished, withTyped } from './email-list.ts'
import styles from './add.module.css'

interface Props {
  emails: readonly string[]
  typed: string
  onChange: (part: { emails?: readonly string[]; typed?: string }) => void
}

export function EmailChips({ emails, typed, onChange }: Props) {
  const isWrong = emails.some((email) => !isEmail(email))
  const take = (text: string) => onChange({ emails: withTyped(emails, text), typed: '' })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      take(typed)
    } else if (event.key === 'Backspace' && typed === '') onChange({ emails: emails.slice(0, -1) })
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!isFinished(text)) return
    event.preventDefault()
    take(`${typed}${text}`)
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
                  onClick={() => onChange({ emails: emails.filter((other) => other !== email) })}
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
              value={typed}
              onChange={(event) =>
                isFinished(event.target.value) ? take(event.target.value) : onChange({ typed: event.target.value })
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
