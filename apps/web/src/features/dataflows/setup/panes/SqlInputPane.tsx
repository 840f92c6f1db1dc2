import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useMemo, useState } from 'react'
import { useSettled } from '../../../../ui/data/use-settled.ts'
import { Select } from '../../../../ui/forms/Select.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import { useTableRows } from '../setup.queries.ts'
import { useOwnTables } from '../use-own-tables.ts'
import { PaneFrame, SampleRows } from './PaneFrame.tsx'
import styles from './panes.module.css'
import { listNamedTables } from './named-tables.ts'

const SETTLES_MS = 500

export function SqlInputPane() {
  const { settings } = useDraft<TransformationSettings>()
  const { database, schemas } = useOwnTables()
  const code = useSettled(settings.code, SETTLES_MS)
  const tables = useMemo(() => listNamedTables(code, schemas), [code, schemas])
  const [selected, setSelected] = useState(0)
  const table = tables[Math.min(selected, tables.length - 1)]
  const rows = useTableRows(database, table)
  return (
    <PaneFrame title="Input" about="Tables the SQL names">
      {!table ? (
        <p className={styles.soft}>Name a table in the SQL, and its first rows appear here.</p>
      ) : (
        <>
          {tables.length > 1 && (
            <Select
              label="Table"
              value={String(tables.indexOf(table))}
              options={tables.map((tableName, index) => ({
                value: String(index),
                label: `${tableName.schema}.${tableName.table}`,
              }))}
              onChange={(event) => setSelected(Number(event.target.value))}
            />
          )}
          {tables.length === 1 && <p className={styles.soft}>{`${table.schema}.${table.table}`}</p>}
          <SampleRows
            sample={
              rows.data && {
                columns: rows.data.columns,
                rows: rows.data.rows.map(({ cells }) => cells),
                is_cut: rows.data.next !== null,
                notes: [],
              }
            }
            error={rows.error}
            isOld={rows.isPlaceholderData}
            title="Input"
          />
        </>
      )}
    </PaneFrame>
  )
}
