import { HOME_SCHEMA } from '@trellis/contract/dataflows/dataflow-words'
import type { OutsideSchemas } from '@trellis/contract/integrations/integrations.schemas'
import { getTableDetails } from '@trellis/contract/explorer/explorer.endpoints'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '../../../../api/api-query.ts'
import type { Completion } from '../../../../ui/editor/code-editor-props.ts'
import { useDataflowsPlace } from '../../dataflows.queries.ts'
import { useOwnTables } from '../use-own-tables.ts'

type Schemas = OutsideSchemas['schemas']

interface TableName {
  schema: string
  table: string
}

const MOST_TABLES = 8
const PLAIN = /^[a-z_][a-z0-9_$]*$/

/** A name as SQL wants it written. */
export const quoted = (name: string): string => (PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** Tables of the database that the text names, as `schema.table` or, in the home schema, by their own name. */
export function namedTables(sql: string, schemas: Schemas): TableName[] {
  const words = new Set(sql.toLowerCase().match(/[\w$]+(?:"?\."?[\w$]+)*/g) ?? [])
  const plain = new Set([...words].map((word) => word.replaceAll('"', '')))
  const found: TableName[] = []
  for (const { name: schema, tables } of schemas) {
    for (const { name: table } of tables) {
      const full = `${schema}.${table}`.toLowerCase()
      const isNamed = plain.has(full) || (schema === HOME_SCHEMA && plain.has(table.toLowerCase()))
      if (isNamed && found.length < MOST_TABLES) found.push({ schema, table })
    }
  }
  return found
}

/** Every table, and the columns of those the text names. */
export function useSqlCompletions(sql: string): readonly Completion[] {
  const { address } = useDataflowsPlace()
  const { database, schemas } = useOwnTables()
  const named = useMemo(() => namedTables(sql, schemas), [sql, schemas])
  const columns = useQueries({
    queries: named.map(({ schema, table }) => ({
      ...apiQuery(getTableDetails, {
        params: { ...address, integration_trellis_code: database ?? '', schema_name: schema, table_name: table },
      }),
      enabled: database !== null,
      retry: false,
    })),
    combine: (answers) =>
      answers.flatMap(({ data }, at) =>
        (data?.columns ?? []).map(({ name }) => ({ name, table: named[at]?.table ?? '' })),
      ),
  })
  return useMemo(() => {
    const tables = schemas.flatMap(({ name, tables: all }) =>
      all.map((table): Completion => ({
        label: `${name}.${table.name}`,
        kind: 'table',
        note: table.kind,
        insert: `${quoted(name)}.${quoted(table.name)}`,
      })),
    )
    const fields = columns.map(({ name, table }): Completion => ({
      label: name,
      kind: 'column',
      note: table,
      insert: quoted(name),
    }))
    return [...fields, ...tables]
  }, [schemas, columns])
}
