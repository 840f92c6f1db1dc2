import { TablePick } from '@trellis/contract/formas/forma-rules'
import { Eye, Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../ui/actions/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { estimateText } from '../../ui/data/amounts.ts'
import { FieldError } from '../../ui/forms/Field.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { TextField } from '../../ui/forms/TextField.tsx'
import { useOutsideTables } from '../forma.queries.ts'
import styles from '../formas.module.css'
import { useSurroundings, type ElementProps } from '../surroundings.ts'

type Pick = z.infer<typeof TablePick>
type Tables = NonNullable<ReturnType<typeof useOutsideTables>['data']>['schemas'][number]['tables']

const MOST_SHOWN = 200

/** A schema of the connected database, then a table in it. */
export default function TablePickerElement(props: ElementProps<'table_picker'>) {
  const { element, value, error, isDisabled, onChange, onTouch } = props
  const { integration } = useSurroundings()
  const listing = useOutsideTables()
  const parsed = z.safeParse(TablePick, value)
  const pick: Pick = parsed.success ? parsed.data : { schema: '' }
  const picksTable = element.properties.picks === 'table'
  if (integration === null || listing.isError)
    return <Written {...props} pick={pick} problem={listing.error?.message} />
  const schemas = listing.data?.schemas ?? []
  const schema = schemas.find(({ name }) => name === pick.schema)
  return (
    <fieldset className={styles.choices}>
      <legend>{element.label}</legend>
      <Select
        label="Schema"
        hint={listing.isLoading ? 'Asking the database…' : element.help}
        placeholder="Choose a schema…"
        disabled={isDisabled || listing.isLoading}
        value={pick.schema}
        options={schemas.map(({ name, tables }) => ({ value: name, label: `${name} (${tables.length})` }))}
        onBlur={onTouch}
        onChange={(event) => onChange(event.target.value ? { schema: event.target.value } : undefined)}
      />
      {picksTable && schema && (
        <TableList
          key={schema.name}
          tables={schema.tables}
          isCut={schema.is_cut}
          chosen={pick.table}
          isDisabled={isDisabled}
          onPick={(table) => {
            onTouch()
            onChange({ schema: schema.name, table })
          }}
        />
      )}
      <FieldError text={error} />
    </fieldset>
  )
}

interface ListProps {
  tables: Tables
  isCut: boolean
  chosen: string | undefined
  isDisabled: boolean
  onPick: (table: string) => void
}

function TableList({ tables, isCut, chosen, isDisabled, onPick }: ListProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = tables.filter(({ name }) => name.toLowerCase().includes(words))
  const rest = found.length - MOST_SHOWN
  return (
    <div className={styles.tables} role="group" aria-label="Table">
      <SearchField label="Search tables" value={search} onChange={(event) => setSearch(event.target.value)} />
      <div className={styles.tableList}>
        {found.slice(0, MOST_SHOWN).map((table) => (
          <label key={table.name} className={classNames(styles.tableLine)}>
            <input
              type="radio"
              name={id}
              checked={table.name === chosen}
              disabled={isDisabled}
              onChange={() => onPick(table.name)}
            />
            {table.kind === 'view' ? <Eye aria-label="View" /> : <Table2 aria-hidden />}
            <span>{table.name}</span>
            <small>{table.kind === 'view' ? 'view' : `${estimateText(table.rows)} rows`}</small>
          </label>
        ))}
        {found.length === 0 && <p className={styles.none}>Nothing found for “{search}”.</p>}
      </div>
      {(rest > 0 || isCut) && (
        <p className={styles.help}>
          {rest > 0 ? `${rest} more; search to find them.` : 'There are more tables than are listed here.'}
        </p>
      )}
    </div>
  )
}

/** Without a working connection the names are written by hand. */
function Written({
  element,
  error,
  isDisabled,
  pick,
  problem,
  onChange,
  onTouch,
}: ElementProps<'table_picker'> & { pick: Pick; problem: string | undefined }) {
  const listing = useOutsideTables()
  return (
    <fieldset className={styles.choices}>
      <legend>{element.label}</legend>
      <TextField
        label="Schema"
        disabled={isDisabled}
        value={pick.schema}
        onBlur={onTouch}
        onChange={(event) => onChange({ ...pick, schema: event.target.value })}
      />
      {element.properties.picks === 'table' && (
        <TextField
          label="Table"
          disabled={isDisabled}
          value={pick.table ?? ''}
          onBlur={onTouch}
          onChange={(event) => onChange({ ...pick, table: event.target.value })}
        />
      )}
      {problem && (
        <p className={styles.help}>
          The tables could not be listed: {problem}{' '}
          <Button size="sm" variant="ghost" isBusy={listing.isFetching} onClick={() => void listing.refetch()}>
            Retry
          </Button>
        </p>
      )}
      <FieldError text={error} />
    </fieldset>
  )
}
