import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { Select } from '../../../../ui/forms/Select.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import { NumberField } from '../panes/NumberField.tsx'
import styles from '../setup.module.css'

type BadRows = WriteStep['bad_rows']

const CHOICES: Record<BadRows['choice'], { label: string; hint: string }> = {
  quarantine: {
    label: 'Keep as rejected rows',
    hint: 'They are kept with the reason, and can be corrected and retried.',
  },
  set_null: { label: 'Leave the value empty', hint: 'The row is written without the value that does not fit.' },
  stop: { label: 'Stop the run', hint: 'One rejected row fails the run, and nothing is written.' },
}

export function BadRowsFields({
  path,
  value,
  onChange,
}: {
  path: string
  value: BadRows
  onChange: (value: BadRows) => void
}) {
  const { isDisabled } = useDraft()
  return (
    <div className={styles.pair} data-path={`${path}.bad_rows`}>
      <Select
        label="Rows that do not fit"
        hint={CHOICES[value.choice].hint}
        value={value.choice}
        disabled={isDisabled}
        options={Object.entries(CHOICES).map(([choice, { label }]) => ({ value: choice, label }))}
        onChange={(event) => onChange({ ...value, choice: event.target.value as BadRows['choice'] })}
      />
      {value.choice !== 'stop' && (
        <NumberField
          label="At most"
          hint="With more of them the run fails, and nothing is written."
          value={value.most}
          min={0}
          max={1_000_000}
          isDisabled={isDisabled}
          onChange={(most) => onChange({ ...value, most })}
        />
      )}
    </div>
  )
}
