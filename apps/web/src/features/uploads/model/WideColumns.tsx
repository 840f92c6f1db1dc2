import type { ModelColumn } from '@trellis/contract/uploads/uploads.schemas'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { counted } from '../../../ui/data/amounts.ts'
import { TextField } from '../../../ui/forms/TextField.tsx'
import styles from './model.module.css'

/** Fewer are found by looking. */
const SEARCHED_COLUMNS = 10
/** Lines of fields that are drawn at once: a page with 1,600 of them hangs for a minute. */
const MAX_LINES = 100

interface WideColumnsProps {
  columns: readonly ModelColumn[]
  /** Columns that are shown wherever they are. */
  pinned?: ReadonlySet<number>
  actions?: ReactNode
  children: (shown: readonly { column: ModelColumn; at: number }[]) => ReactNode
}

/** Some of the columns of a file at a time, found by name. */
export function WideColumns({ columns, pinned, actions, children }: WideColumnsProps) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(MAX_LINES)
  const wanted = search.trim().toLowerCase()
  const found = columns
    .map((column, at) => ({ column, at }))
    .filter(
      ({ column: { header, name } }) =>
        wanted === '' || header.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
    )
  const shown = found.filter(({ at }, line) => line < limit || pinned?.has(at) === true)
  const hidden = found.length - shown.length
  return (
    <>
      {columns.length > SEARCHED_COLUMNS && (
        <div className={styles.tools}>
          <TextField
            label="Find a column"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {actions}
        </div>
      )}
      {children(shown)}
      {hidden > 0 && (
        <div className={styles.tools}>
          <Button onClick={() => setLimit((before) => before + MAX_LINES)}>
            {`Show ${Math.min(hidden, MAX_LINES)} more`}
          </Button>
          <span>{`${counted(hidden, 'column')} not shown. They are loaded like the others.`}</span>
        </div>
      )}
    </>
  )
}
