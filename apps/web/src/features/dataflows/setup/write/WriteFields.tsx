import type { SchemaPolicy, WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import { SCHEMA_POLICIES, WRITE_STRATEGIES } from '@trellis/contract/dataflows/dataflow-words'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useId, type ReactNode } from 'react'
import { RadioGroup } from '../../../../ui/forms/Choices.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { useOwnTables } from '../use-own-tables.ts'
import { BadRowsFields } from './BadRowsFields.tsx'

const STRATEGY_HINTS: Record<WriteStrategy, string> = {
  Append: 'New rows are added; what is there stays as it is.',
  Replace: 'Every run builds the table anew. The old one stays until the new one is complete.',
  Upsert: 'Rows with a known key are updated, others are added. Needs a primary key.',
}

/** CDC: an initial snapshot, then changes. */
const FOLLOWED_HINTS: Record<WriteStrategy, string> = {
  Append: 'Not for changes from the log: updates and deletes need rows to apply to.',
  Replace: 'The first run builds the table anew, later ones apply the changes to it.',
  Upsert: 'Rows of the source are updated or inserted by their key; other rows of the table stay. Needs a primary key.',
}

const POLICIES: Record<SchemaPolicy, { label: string; hint: string }> = {
  evolve: {
    label: 'Follow them',
    hint: 'New columns are added, types are widened, removed columns stay empty. Where values could be lost, the run asks.',
  },
  ask: { label: 'Ask first', hint: 'The run pauses and shows what would change. It continues when you approve.' },
  freeze: { label: 'Keep the table as it is', hint: 'The run fails when the source has changed. Nothing is written.' },
}

interface WriteProps {
  path: string
  write: WriteStep
  title?: string
  onChange: (write: WriteStep, fieldPath: string) => void
  isFollowed?: boolean
  tableSetup: ReactNode
}

export function WriteFields({
  path,
  write,
  title = 'Write into',
  onChange,
  isFollowed = false,
  tableSetup,
}: WriteProps) {
  const { isDisabled } = useDraft()
  const hints = isFollowed ? FOLLOWED_HINTS : STRATEGY_HINTS
  const set = (part: Partial<WriteStep>, fieldPath: string) => onChange({ ...write, ...part }, fieldPath)
  return (
    <section className={styles.part} aria-label={title} data-path={path}>
      <h3>{title}</h3>
      <TableFields path={path} write={write} onChange={set} />
      <RadioGroup
        label="Write mode"
        value={write.strategy}
        onChange={(strategy) => set({ strategy: strategy as WriteStrategy }, 'strategy')}
        options={WRITE_STRATEGIES.map((value) => ({
          value,
          label: value,
          hint: hints[value],
          isDisabled: isDisabled || (isFollowed && value === 'Append'),
        }))}
      />
      {write.strategy === 'Upsert' && tableSetup}
      <Select
        label="When columns change"
        hint={POLICIES[write.schema_policy].hint}
        value={write.schema_policy}
        disabled={isDisabled}
        options={SCHEMA_POLICIES.map((value) => ({ value, label: POLICIES[value].label }))}
        onChange={(event) => set({ schema_policy: event.target.value as SchemaPolicy }, 'schema_policy')}
      />
      <BadRowsFields path={path} value={write.bad_rows} onChange={(bad_rows) => set({ bad_rows }, 'bad_rows')} />
    </section>
  )
}

interface TableProps {
  path: string
  write: WriteStep
  onChange: (part: Partial<WriteStep>, fieldPath: string) => void
}

function TableFields({ path, write, onChange }: TableProps) {
  const { faultAt, touch, isDisabled } = useDraft()
  const id = useId()
  const { schemas, findTable } = useOwnTables()
  const tables = schemas.find(({ name }) => name === write.schema_name)?.tables ?? []
  const exists = findTable(write) !== undefined
  const findProblem = (name: 'schema_name' | 'table_name') =>
    write[name].trim() === '' ? 'Field required' : faultAt(`${path}.${name}`)
  return (
    <div className={styles.pair}>
      <div data-path={`${path}.schema_name`}>
        <TextField
          label="Schema"
          list={`${id}-schemas`}
          spellCheck={false}
          autoComplete="off"
          value={write.schema_name}
          disabled={isDisabled}
          error={findProblem('schema_name')}
          onBlur={() => touch(`${path}.schema_name`)}
          onChange={(event) => onChange({ schema_name: event.target.value }, 'schema_name')}
        />
        <Names id={`${id}-schemas`} names={schemas.map(({ name }) => name)} />
      </div>
      <div data-path={`${path}.table_name`}>
        <TextField
          label="Table"
          list={`${id}-tables`}
          spellCheck={false}
          autoComplete="off"
          hint={exists ? 'This table is there already.' : 'It is made by the first run.'}
          value={write.table_name}
          disabled={isDisabled}
          error={findProblem('table_name')}
          onBlur={() => touch(`${path}.table_name`)}
          onChange={(event) => onChange({ table_name: event.target.value }, 'table_name')}
        />
        <Names id={`${id}-tables`} names={tables.map(({ name }) => name)} />
      </div>
    </div>
  )
}

function Names({ id, names }: { id: string; names: readonly string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </datalist>
  )
}
