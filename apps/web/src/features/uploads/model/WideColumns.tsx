import type { ModelColumn } from '@trellis/contract/uploads/uploads.schemas'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { TextField } from '../../../ui/forms/TextField.tsx'
import styles from './model.module.css'

const SEARCHED_COLUMNS = 10
/** 1,600 rows of fields would freeze the page for a minute. */
const MAX_LINES = 100

interface WideColumnsProps {
  columns: readonly ModelColumn[]
  pinned?: ReadonlySet<number>
  actions?: ReactNode
  children: (shown: readonly { column: ModelColumn; index: number }[]) => ReactNode
}

export function WideColumns({ columns, pinned, actions, children }: WideColumnsProps) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(MAX_LINES)
  const searchTerm = search.trim().toLowerCase()
  const fileModel = columns
    .map((column, index) => ({ column, index }))
    .filter(
      ({ column: { header, name } }) =>
        searchTerm === '' || header.toLowerCase().includes(searchTerm) || name.toLowerCase().includes(searchTerm),
    )
  const shown = fileModel.filter(({ index }, line) => line < limit || pinned?.has(index) === true)
  const hidden = fileModel.length - shown.length
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
          <span>{`${formatCount(hidden, 'column')} not shown. They are loaded like the others.`}</span>
        </div>
      )}
    </>
  )
}
