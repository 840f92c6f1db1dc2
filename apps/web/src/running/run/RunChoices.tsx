import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { RadioGroup } from '../../ui/forms/Choices.tsx'
import type { Reading, Scope } from './run-request.ts'

const IN_SHADOW = {
  value: 'shadow',
  label: 'Shadow run of the draft',
  hint: 'Reads and works as usual, changes no table, and shows what would be different in it.',
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
        { value: 'block', label: 'This block alone', hint: 'Nothing else is set off by its success.' },
        ...(kind === 'Destination' ? [] : [IN_SHADOW]),
      ]}
      onChange={(value) => onScope(value as Scope)}
    />
  )
}

interface ReadingChoiceProps {
  /** Not known before the source has answered. */
  canWindow: boolean | undefined
  reading: Reading
  onReading: (reading: Reading) => void
}

export function ReadingChoice({ canWindow, reading, onReading }: ReadingChoiceProps) {
  return (
    <RadioGroup
      label="What to read"
      value={reading}
      options={[
        { value: 'new', label: 'What is new', hint: 'Goes on where the last run stood.' },
        {
          value: 'window',
          label: 'A past stretch',
          hint:
            canWindow === false
              ? 'This source cannot be read by days.'
              : 'Reads these days beside the live cursor, which stays where it is.',
          isDisabled: !canWindow,
        },
        { value: 'full', label: 'Everything again', hint: 'Forgets where the last run stood.' },
      ]}
      onChange={(value) => onReading(value as Reading)}
    />
  )
}
