import { getPostgresSchema } from '@trellis/contract/integrations/integrations.endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '../../../api/api-query.ts'
import type { Completion } from '../../../ui/editor/code-editor-props.ts'
import { useWorksheets } from '../use-worksheets.ts'

const PLAIN = /^[a-z_][a-z0-9_$]*$/
const quote = (name: string): string => (PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** Every table of the database. */
export function useSqlCompletions(database: string | null): readonly Completion[] {
  const { params } = useWorksheets()
  const query = apiQuery(getPostgresSchema, { params: { ...params, integration_trellis_code: database ?? '' } })
  const { data } = useQuery({ ...query, enabled: database !== null, retry: false })
  return useMemo(
    () =>
      (data?.schemas ?? []).flatMap(({ name: schema, tables }) =>
        tables.map((table): Completion => ({
          label: `${schema}.${table.name}`,
          kind: 'table',
          note: table.kind,
          insert: `${quote(schema)}.${quote(table.name)}`,
        })),
      ),
    [data],
  )
}
