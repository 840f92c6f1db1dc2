import { TablePick } from '@trellis/contract/formas/forma-rules'
import { Eye, Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../ui/actions/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatEstimate } from '../../ui/data/amounts.ts'
import { FieldError } from '../../ui/forms/Field.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { TextField } from '../../ui/forms/TextField.tsx'
import { useOutsideTables } from '../forma.queries.ts'
import styles from '../formas.module.css'
import { useSurroundings, type ElementProps } from '../surroundings.ts'

type Pick = z.infer<typeof TablePick>
type Schemas = NonNullable<ReturnType<typeof useOutsideTables>['data']>['schemas']

const MAX_SHOWN = 200

export default function TablePickerElement(props: ElementProps<'table_picker'>) {
  const { element, value, error, isDisabled, onChange, onTouch } = props
  const { integration } = useSurroundings()
  const listing = useOutsideTables()
  const parsed = z.safeParse(TablePick, value)
  const pick: Pick = parsed.success ? parsed.data : { schema: '' }
  if (integration === null || listing.isError)
    return <Written {...props} pick={pick} problem={listing.error?.message} />
  const schemas = listing.data?.schemas ?? []
  return (
    <fieldset className={styles.choices}>
      <legend>{element.label}</legend>
      {element.properties.picks === 'schema' ? (
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
      ) : listing.isLoading ? (
        <p className={styles.help}>Asking the database…</p>
      ) : (
        <TableList
          schemas={schemas}
          chosen={pick}
          isDisabled={isDisabled}
          onPick={(next) => {
            onTouch()
            onChange(next)
          }}
        />
      )}
      <FieldError text={error} />
    </fieldset>
  )
}

interface ListProps {
  schemas: Schemas
  chosen: Pick
  isDisabled: boolean
  onPick: (pick: Pick) => void
}

function TableList({ schemas, chosen, isDisabled, onPick }: ListProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const all = schemas.flatMap(({ name, tables }) => tables.map((table) => ({ schema: name, table })))
  const found = all.filter(({ schema, table }) => `${schema}.${table.name}`.toLowerCase().includes(words))
  const shown = found.slice(0, MAX_SHOWN)
  const rest = found.length - shown.length
  const isCut = schemas.some(({ is_cut }) => is_cut)
  return (
    <div className={styles.tables} role="group" aria-label="Table">
      <SearchField label="Search tables" value={search} onChange={(event) => setSearch(event.target.value)} />
      <div className={styles.tableList}>
        {[...new Set(shown.map(({ schema }) => schema))].map((name) => (
          <div key={name} role="group" aria-label={name}>
            {schemas.length > 1 && <p className={styles.schemaName}>{name}</p>}
            {shown
              .filter(({ schema }) => schema === name)
              .map(({ table }) => (
                <label key={table.name} className={classNames(styles.tableLine)}>
                  <input
                    type="radio"
                    name={id}
                    checked={name === chosen.schema && table.name === chosen.table}
                    disabled={isDisabled}
                    onChange={() => onPick({ schema: name, table: table.name })}
                  />
                  {table.kind === 'view' ? <Eye aria-label="View" /> : <Table2 aria-hidden />}
                  <span>{table.name}</span>
                  <small>{table.kind === 'view' ? 'view' : `${formatEstimate(table.rows)} rows`}</small>
                </label>
              ))}
          </div>
        ))}
        {found.length === 0 && (
          <p className={styles.none}>
            {all.length === 0 ? 'This login sees no tables.' : `Nothing found for “${search}”.`}
          </p>
        )}
      </div>
      {(rest > 0 || isCut) && (
        <p className={styles.help}>
          {rest > 0 ? `${rest} more; search to find them.` : 'There are more tables than are listed here.'}
        </p>
      )}
    </div>
  )
}

/** Without a working connection, names are typed. */
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
