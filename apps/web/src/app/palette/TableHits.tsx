import { Command } from 'cmdk'
import { FileCode2, Table2, Workflow } from 'lucide-react'
import { explorerPaths } from '../../features/explorer/explorer-paths.ts'
import { useDatabases, useDatabaseSearch, useSchemas } from '../../features/explorer/explorer.queries.ts'
import { useSettled } from '../../ui/data/use-settled.ts'
import type { RouteLocation } from '../router-paths.ts'
import { pathInWorkspace } from '../shell/sidebar-lines.ts'
import { PaletteLine } from './PaletteLine.tsx'

const SHOWN = 8
const QUERIED = 3
const DRAWN = 3
const SHORTEST = 2

export function TableHits({
  place,
  words,
  onGo,
}: {
  place: RouteLocation
  words: string
  onGo: (to: string) => () => void
}) {
  const settled = useSettled(words.trim())
  const { account, workspace } = place
  const isAsking = account !== undefined && workspace !== undefined && settled.length >= SHORTEST
  const params = isAsking ? { account_trellis_code: account, workspace_address: workspace } : null
  const database = useDatabases(params).data?.[0]?.integration_trellis_code
  const { data: hits = [] } = useDatabaseSearch(params, database, settled)
  const { data: schemas = [] } = useSchemas(params, database)
  const drawn = schemas.filter((name) => `diagram of ${name}`.includes(settled.toLowerCase())).slice(0, DRAWN)
  if (!isAsking || database === undefined || hits.length + drawn.length === 0) return null
  const paths = explorerPaths(pathInWorkspace(place, ''))
  return (
    <Command.Group heading="Tables">
      {hits.slice(0, SHOWN).map(({ schema_name: schema, table_name: table, column_name: column }) => (
        <PaletteLine
          key={`${schema}.${table}.${column ?? ''}`}
          id={`table ${schema} ${column ?? ''}`}
          title={table}
          note={column === null ? schema : `${schema} · column ${column}`}
          icon={<Table2 aria-hidden />}
          onSelect={onGo(paths.table({ database, schema, table }, column === null ? 'preview' : 'details'))}
        />
      ))}
      {hits
        .filter(({ column_name: column }) => column === null)
        .slice(0, QUERIED)
        .map(({ schema_name: schema, table_name: table }) => (
          <PaletteLine
            key={`query ${schema}.${table}`}
            id={`query ${schema}`}
            title={`Query ${table}`}
            note={schema}
            icon={<FileCode2 aria-hidden />}
            onSelect={onGo(paths.table({ database, schema, table }, 'query'))}
          />
        ))}
      {drawn.map((schema) => (
        <PaletteLine
          key={`diagram ${schema}`}
          id={`diagram ${schema}`}
          title={`Diagram of ${schema}`}
          keywords={['er diagram', 'entity relationship', 'foreign keys']}
          icon={<Workflow aria-hidden />}
          onSelect={onGo(paths.schema({ database, schema }, 'diagram'))}
        />
      ))}
    </Command.Group>
  )
}
