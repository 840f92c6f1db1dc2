import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { RadioGroup } from '../../ui/forms/Choices.tsx'
import type { ReadMode, Scope } from './run-request.ts'

const IN_SHADOW = {
  value: 'shadow',
  label: 'Dry run of the draft',
  hint: 'Reads and transforms as usual, writes to no table, and shows which rows would change.',
}

interface ScopeChoiceProps {
  kind: ActivityKind
  scope: Scope
  onScope: (scope: Scope) => void
}

export function ScopeChoice({ kind, scope, onScope }: ScopeChoiceProps) {
  return (
    <RadioGroup
      label="How far"
      value={scope}
      options={[
        { value: 'from_here', label: 'From here on', hint: 'This block, then every block that waits for it.' },
        { value: 'block', label: 'This block alone', hint: 'Its success triggers nothing else.' },
        ...(kind === 'Destination' ? [] : [IN_SHADOW]),
      ]}
      onChange={(value) => onScope(value as Scope)}
    />
  )
}

interface ReadingChoiceProps {
  /** Unknown until the source has answered. */
  canWindow: boolean | undefined
  reading: ReadMode
  onReading: (reading: ReadMode) => void
}

export function ReadingChoice({ canWindow, reading, onReading }: ReadingChoiceProps) {
  return (
    <RadioGroup
      label="Sync mode"
      value={reading}
      options={[
        { value: 'new', label: 'Incremental', hint: 'Reads what is new since the last run.' },
        {
          value: 'window',
          label: 'Backfill',
          hint:
            canWindow === false
              ? 'This source cannot be read by date.'
              : 'Reads a date range again. The cursor stays where it is.',
          isDisabled: !canWindow,
        },
        { value: 'full', label: 'Full refresh', hint: 'Reads everything again and resets the cursor.' },
      ]}
      onChange={(value) => onReading(value as ReadMode)}
    />
  )
}
