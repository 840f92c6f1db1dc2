import { Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { FieldError } from '../../ui/forms/Field.tsx'
import { isSame } from '../../ui/forms/form-values.ts'
import { Select, type Option } from '../../ui/forms/Select.tsx'
import { TextField } from '../../ui/forms/TextField.tsx'
import styles from './builder.module.css'
import type { Draft } from './use-draft.ts'

export interface DraftFieldProps {
  draft: Draft
  path: string
  label: string
  hint?: ReactNode
  placeholder?: string
  /** An empty value removes the property. */
  isOptional?: boolean
  isMono?: boolean
}

const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function DraftText({ draft, path, isOptional = false, ...text }: DraftFieldProps) {
  return (
    <TextField
      {...text}
      isOptional={isOptional}
      value={toText(draft.valueAt(path))}
      error={draft.faultAt(path)}
      spellCheck={false}
      autoComplete="off"
      onBlur={() => draft.touch(path)}
      onChange={(event) => draft.set(path, isOptional && event.target.value === '' ? undefined : event.target.value)}
    />
  )
}

export function DraftNumber({ draft, path, isOptional = false, ...text }: DraftFieldProps) {
  return (
    <TextField
      {...text}
      isOptional={isOptional}
      inputMode="numeric"
      value={toText(draft.valueAt(path))}
      error={draft.faultAt(path)}
      onBlur={() => draft.touch(path)}
      onChange={(event) => {
        const { value } = event.target
        draft.set(path, value === '' ? undefined : /^\d+$/.test(value) ? Number(value) : value)
      }}
    />
  )
}

export function DraftSelect({
  draft,
  path,
  options,
  placeholder,
  onChoose,
  ...text
}: DraftFieldProps & { options: readonly Option[]; onChoose?: (value: string) => void }) {
  return (
    <Select
      {...text}
      {...(placeholder !== undefined && { placeholder })}
      options={options}
      value={toText(draft.valueAt(path))}
      error={draft.faultAt(path)}
      onBlur={() => draft.touch(path)}
      onChange={(event) => (onChoose ? onChoose(event.target.value) : draft.set(path, event.target.value || undefined))}
    />
  )
}

/** Keeps the typed text while it is being edited. */
export function DraftList<T extends string | number>({
  draft,
  path,
  read,
  ...text
}: DraftFieldProps & { read: (text: string) => T[] }) {
  const values = (draft.valueAt(path) as T[] | undefined) ?? []
  const [inputText, setTyped] = useState(() => values.join(', '))
  return (
    <TextField
      {...text}
      value={isSame(read(inputText), values) ? inputText : values.join(', ')}
      error={draft.faultAt(path)}
      spellCheck={false}
      onBlur={() => draft.touch(path)}
      onChange={(event) => {
        const found = read(event.target.value)
        setTyped(event.target.value)
        draft.set(path, found.length === 0 ? undefined : found)
      }}
    />
  )
}

export const readNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

export const readNumbers = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)

type Pair = readonly [name: string, value: string]

const toRecord = (pairs: readonly Pair[]) => Object.fromEntries(pairs.filter(([name]) => name !== ''))

/** Rows without a name are not sent. */
export function DraftPairs({ draft, path, label, hint, one }: DraftFieldProps & { one: string }) {
  const kept = (draft.valueAt(path) as Record<string, string> | undefined) ?? {}
  const [rows, setRows] = useState<readonly Pair[]>(() => Object.entries(kept))
  const pairs = isSame(toRecord(rows), kept) ? rows : Object.entries(kept)
  const put = (next: readonly Pair[]) => {
    setRows(next)
    draft.set(path, Object.keys(toRecord(next)).length === 0 ? undefined : toRecord(next))
  }
  const change = (index: number, pair: Pair) => put(pairs.map((oldPair, row) => (row === index ? pair : oldPair)))
  return (
    <fieldset className={styles.pairs}>
      <legend>{label}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {pairs.map(([name, value], index) => (
        <div key={index} className={styles.pair}>
          <input
            aria-label={`Name of ${one} ${index + 1}`}
            value={name}
            placeholder="name"
            spellCheck={false}
            onChange={(event) => change(index, [event.target.value, value])}
          />
          <input
            aria-label={`Value of ${one} ${index + 1}`}
            value={value}
            placeholder="value or {{ config.… }}"
            spellCheck={false}
            onChange={(event) => change(index, [name, event.target.value])}
          />
          <IconButton
            label={`Remove ${one} ${index + 1}`}
            icon={<Trash2 aria-hidden />}
            onClick={() => put(pairs.filter((_, row) => row !== index))}
          />
        </div>
      ))}
      <FieldError text={draft.faultAt(path)} />
      <Button size="sm" variant="ghost" icon={<Plus aria-hidden />} onClick={() => setRows([...pairs, ['', '']])}>
        Add {one}
      </Button>
    </fieldset>
  )
}

export function Part({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  )
}
