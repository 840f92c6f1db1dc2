import type { AiProjectTables } from '@trellis/contract/ai/ai.schemas'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { useDatabases } from '../../explorer/explorer.queries.ts'
import { useProjectTables, useUpdateProjectTables } from '../ai-projects.queries.ts'
import { useAi } from '../use-ai.ts'
import styles from './projects.module.css'

type Table = AiProjectTables['tables'][number]

const toKey = ({ schema_name, table_name }: Pick<Table, 'schema_name' | 'table_name'>) => `${schema_name}.${table_name}`

const KIND_LABELS: Record<Table['kind'], string> = {
  table: '',
  partitioned_table: 'Partitioned table',
  view: 'View',
  materialized_view: 'Materialized view',
  foreign_table: 'Foreign table',
  missing: 'Missing',
}

export function TablesCard({ project, onSaved }: { project: string; onSaved: () => void }) {
  const { params } = useAi()
  const databases = useDatabases(params)
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <Card title="Tables" subtitle="The assistant reads these tables only, and never changes them.">
      <Loaded query={databases} subject="The databases" skeletonHeights={[120]}>
        {(databases) => {
          const database = selected ?? databases[0]?.integration_trellis_code
          if (database === undefined) return <p>This workspace has no database yet.</p>
          return (
            <>
              {databases.length > 1 && (
                <Select
                  label="Database"
                  value={database}
                  options={databases.map(({ integration_trellis_code, name }) => ({
                    value: integration_trellis_code,
                    label: name,
                  }))}
                  onChange={(event) => setSelected(event.target.value)}
                />
              )}
              <TablesOfDatabase key={database} project={project} database={database} onSaved={onSaved} />
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

interface DatabaseProps {
  project: string
  database: string
  onSaved: () => void
}

function TablesOfDatabase({ project, database, onSaved }: DatabaseProps) {
  const { params } = useAi()
  const tables = useProjectTables(params, { project_trellis_code: project, integration_trellis_code: database })
  return (
    <Loaded query={tables} subject="The tables" skeletonHeights={[160]}>
      {(projectTables) => <TableChoice project={project} projectTables={projectTables} onSaved={onSaved} />}
    </Loaded>
  )
}

function TableChoice({
  project,
  projectTables,
  onSaved,
}: Pick<DatabaseProps, 'project' | 'onSaved'> & { projectTables: AiProjectTables }) {
  const { params, can } = useAi()
  const save = useUpdateProjectTables()
  const [searchText, setSearchText] = useState('')
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map())
  const { tables, integration_trellis_code } = projectTables
  const isChosen = (table: Table) => changes.get(toKey(table)) ?? table.is_chosen
  const isChanged = tables.some((table) => isChosen(table) !== table.is_chosen)
  const searched = searchText.trim().toLowerCase()
  const shownTables = tables.filter((table) => toKey(table).toLowerCase().includes(searched))
  const selected = tables.filter(isChosen)
  const choose = (some: readonly Table[], value: boolean) =>
    setChanges((before) => new Map([...before, ...some.map((table) => [toKey(table), value] as const)]))
  const canWrite = can('ai:write')
  if (tables.length === 0) return <p>This database has no tables yet.</p>
  const submit = () =>
    save.mutate(
      {
        params: { ...params, project_trellis_code: project, integration_trellis_code },
        // Without deleted tables, which the server refuses.
        body: {
          tables: selected
            .filter(({ kind }) => kind !== 'missing')
            .map(({ schema_name, table_name }) => ({ schema_name, table_name })),
        },
      },
      {
        onSuccess: () => {
          setChanges(new Map())
          if (selected.length > 0) onSaved()
        },
      },
    )
  const areAllChosen = shownTables.length > 0 && shownTables.every(isChosen)
  return (
    <>
      <div className={styles.bar}>
        <SearchField label="Search tables" value={searchText} onChange={(event) => setSearchText(event.target.value)} />
        <span className={styles.count} role="status">
          {selected.length} of {formatCount(tables.length, 'table')} chosen
        </span>
        {canWrite && shownTables.length > 0 && (
          <Button size="sm" variant="ghost" onClick={() => choose(shownTables, !areAllChosen)}>
            {areAllChosen ? 'Clear all' : searched === '' ? 'Choose all' : 'Choose all found'}
          </Button>
        )}
      </div>
      {shownTables.length === 0 && <p className={styles.none}>No table matches “{searchText.trim()}”.</p>}
      <ul aria-label="Tables" className={styles.tables}>
        {shownTables.map((table) => (
          <li key={toKey(table)}>
            <Checkbox
              label={
                <span className={styles.table}>
                  <span className={styles.name}>{toKey(table)}</span>
                  {table.kind !== 'table' && (
                    <Badge tone={table.kind === 'missing' ? 'warning' : 'neutral'}>{KIND_LABELS[table.kind]}</Badge>
                  )}
                </span>
              }
              checked={isChosen(table)}
              disabled={!canWrite}
              onChange={(event) => choose([table], event.target.checked)}
            />
          </li>
        ))}
      </ul>
      {canWrite && (
        <div className={styles.actions}>
          <Button variant="primary" isBusy={save.isPending} disabled={!isChanged} onClick={submit}>
            Save tables
          </Button>
        </div>
      )}
    </>
  )
}
