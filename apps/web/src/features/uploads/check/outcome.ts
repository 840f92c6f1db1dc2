import type { UploadFile, Validation } from '@trellis/contract/uploads/uploads.schemas'
import { formatCount } from '../../../ui/data/amounts.ts'
import type { LoadMode } from '../wizard.ts'

export type BadRowChoice = UploadFile['on_bad_rows']

export const CHOICES: { value: BadRowChoice; label: string; hint: string }[] = [
  { value: 'stop', label: 'Stop', hint: 'Nothing is loaded as long as there are rejected rows.' },
  {
    value: 'quarantine',
    label: 'Put them in quarantine',
    hint: 'The other rows are loaded. The rejected ones are stored next to the table with the reason.',
  },
  {
    value: 'set_null',
    label: 'Leave the bad values empty',
    hint: 'All rows are delivered; a value that does not fit becomes NULL. Rows that can’t be saved so go to quarantine.',
  },
]

export function countRowsToDeliver({ rows, good_rows, bad_rows }: Validation, choice: BadRowChoice): number {
  if (bad_rows === 0) return rows
  if (choice === 'stop') return 0
  return choice === 'set_null' ? rows : good_rows
}

export function canDeliver(validation: Validation, choice: BadRowChoice): boolean {
  if (validation.bad_rows === 0) return true
  return choice !== 'stop' && !validation.has_more_bad_rows && countRowsToDeliver(validation, choice) > 0
}

export function deliverLabel(mode: LoadMode, rows: number): string {
  if (rows === 0) return { new: 'Make the table', append: 'Append', replace: 'Replace', upsert: 'Upsert' }[mode]
  const amount = formatCount(rows, 'row')
  if (mode === 'new') return `Make the table with ${amount}`
  if (mode === 'upsert') return `Upsert ${amount}`
  return mode === 'append' ? `Append ${amount}` : `Replace by ${amount}`
}

export interface Segment {
  label: string
  value: number
  tone: 'success' | 'danger' | 'info' | 'warning' | 'neutral'
}

export function rowSegments({ good_rows, bad_rows }: Validation): Segment[] {
  return [
    { label: 'Good', value: good_rows, tone: 'success' },
    { label: 'Bad', value: bad_rows, tone: 'danger' },
  ]
}

export function diffSegments(diff: NonNullable<Validation['diff']>, mode: LoadMode): Segment[] {
  return [
    { label: 'New', value: diff.new_rows, tone: 'success' },
    { label: 'Changed', value: diff.changed_rows, tone: 'warning' },
    { label: 'Same', value: diff.same_rows, tone: 'neutral' },
    {
      label: mode === 'replace' ? 'Not in the file, will be gone' : 'Not in the file, stay',
      value: diff.missing_rows,
      tone: mode === 'replace' ? 'danger' : 'info',
    },
  ]
}
