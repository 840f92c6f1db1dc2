import type { DestinationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { RadioGroup } from '../../../../ui/forms/Choices.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { usePreviousBlocks } from '../setup.queries.ts'
import { useOwnTables } from '../use-own-tables.ts'
import { CodeField } from './CodeField.tsx'
import { useOwnSqlAssist } from './use-own-sql-assist.ts'

export type Input = DestinationSettings['input']

export function InputFields({
  input,
  onChange,
}: {
  input: Input
  onChange: (input: Input, fieldPath: string) => void
}) {
  const { isDisabled } = useDraft()
  const isSql = input !== null && 'sql' in input
  return (
    <section className={styles.group} aria-label="Rows to read" data-path="input">
      <h2>Input</h2>
      <RadioGroup
        label="What is read"
        value={isSql ? 'sql' : 'table'}
        onChange={(choice) => onChange(choice === 'sql' ? { sql: toSelectSql(input) } : null, 'input')}
        options={[
          { value: 'table', label: 'A table', hint: 'All of its rows.', isDisabled },
          { value: 'sql', label: 'A query', hint: 'The rows that a SELECT returns.', isDisabled },
        ]}
      />
      {isSql ? (
        <SqlInput sql={input.sql} onChange={(sql) => onChange({ sql }, 'input.sql')} />
      ) : (
        <TableInput table={input} onChange={(table) => onChange(table, 'input.table')} />
      )}
    </section>
  )
}

const toSelectSql = (input: Input): string =>
  input && 'table_name' in input && input.table_name ? `select * from ${input.schema_name}.${input.table_name}` : ''

function SqlInput({ sql, onChange }: { sql: string; onChange: (sql: string) => void }) {
  const assist = useOwnSqlAssist()
  return (
    <CodeField
      path="input.sql"
      label="Query"
      language="sql"
      height={160}
      placeholder="select * from orders"
      value={sql}
      assist={assist}
      onChange={onChange}
    />
  )
}

type Table = Extract<Input, { table_name: string }> | null

/** Tables written by upstream blocks come first; they may not exist yet. */
function TableInput({ table, onChange }: { table: Table; onChange: (table: Table) => void }) {
  const { block, isDisabled, faultAt, touch } = useDraft()
  const previous = usePreviousBlocks(block.task_block_trellis_code)
  const { schemas } = useOwnTables()
  const there = schemas.flatMap(({ name, tables }) =>
    tables.map((table) => ({ schema_name: name, table_name: table.name, note: '' })),
  )
  const written = (previous.data?.writes ?? []).map((write) => ({
    ...write,
    note: write.exists ? ' · written by an earlier block' : ' · will be written by an earlier block',
  }))
  const all = [...written, ...there, ...(table ? [{ ...table, note: '' }] : [])]
  const options = new Map(
    all.toReversed().map((item) => [toTableKey(item), `${item.schema_name}.${item.table_name}${item.note}`]),
  )
  return (
    <Select
      label="Table"
      placeholder="Choose a table…"
      value={table ? toTableKey(table) : ''}
      disabled={isDisabled}
      error={faultAt('input')}
      options={all
        .map(toTableKey)
        .filter((key, index, keys) => keys.indexOf(key) === index)
        .map((key) => ({ value: key, label: options.get(key) ?? key }))}
      onBlur={() => touch('input')}
      onChange={(event) => {
        const [schema_name = '', table_name = ''] = event.target.value.split('\u0000')
        onChange(event.target.value === '' ? null : { schema_name, table_name })
      }}
    />
  )
}

/** NUL cannot occur in a name. */
const toTableKey = ({ schema_name, table_name }: { schema_name: string; table_name: string }) =>
  `${schema_name}\u0000${table_name}`
