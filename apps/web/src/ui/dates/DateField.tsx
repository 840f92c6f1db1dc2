import { CalendarDays } from 'lucide-react'
import { Suspense, lazy, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import type { FieldText } from '../forms/Field.tsx'
import { TextField } from '../forms/TextField.tsx'
import type { DayLimits } from './calendar.ts'
import { type DateFormat, describeFormat, formatDateInput, isWritten, parseDateInput } from './date-input.ts'
import styles from './dates.module.css'
import { toLocalDay } from './local-day.ts'

const CalendarPanel = lazy(() => import('./CalendarPanel.tsx'))

const toDay = (value: string) => value.slice(0, 10)

/**
 * A day as `2026-11-15`, typed or chosen from a month; with `defaultTime` also a time. A text that cannot be parsed
 * is reported and reset to the last value, so that the field shows what is saved.
 */
export function DateField({
  value,
  onChange,
  min,
  max,
  defaultTime,
  error,
  disabled = false,
  onBlur,
  ...text
}: FieldText &
  DayLimits &
  DateFormat & { value: string; onChange: (value: string) => void; disabled?: boolean; onBlur?: () => void }) {
  const [draft, setDraft] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const wrap = useRef<HTMLDivElement>(null)
  const format = { defaultTime }
  const button = () => wrap.current?.querySelector<HTMLElement>('[aria-haspopup]')
  const sent = useRef(value)
  // Set from outside, as by a button beside the field: what was typed belongs to the value before.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setDraft(null)
    setRefused(null)
  }, [value])
  const put = (parsed: string | undefined) => {
    if (parsed === undefined || parsed === value) return
    sent.current = parsed
    onChange(parsed)
  }
  const type = (typed: string) => {
    setDraft(typed)
    setRefused(null)
    if (isWritten(typed)) put(parseDateInput(typed, format))
  }
  /** False when what was typed can't be read. */
  const settle = (): boolean => {
    if (draft === null) return true
    const parsed = parseDateInput(draft, format)
    put(parsed)
    setRefused(parsed === undefined ? draft : null)
    setDraft(null)
    return parsed !== undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !settle()) event.preventDefault()
  }
  const close = (isFocusBack: boolean) => {
    setOpen(false)
    if (isFocusBack) button()?.focus()
  }
  const choose = (day: string) => {
    const time = value.slice(10) || (defaultTime === undefined ? '' : `T${defaultTime}`)
    setRefused(null)
    put(`${day}${time}`)
    close(true)
  }
  return (
    <div ref={wrap} className={styles.field}>
      <TextField
        {...text}
        error={refused === null ? error : `“${refused.trim()}” is not a date. Write it as ${describeFormat(format)}.`}
        autoComplete="off"
        spellCheck={false}
        placeholder={describeFormat(format)}
        disabled={disabled}
        value={draft ?? formatDateInput(value)}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          settle()
          onBlur?.()
        }}
        end={
          <IconButton
            size="sm"
            label="Choose a day"
            icon={<CalendarDays aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            disabled={disabled}
            onClick={() => setOpen(!isOpen)}
          />
        }
      />
      <Suspense>
        {isOpen && (
          <CalendarPanel
            value={toDay(value)}
            today={toLocalDay(new Date())}
            limits={{ min, max }}
            anchor={button}
            onChoose={choose}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  )
}
