import { getAiProjectTables } from '@trellis/contract/ai/ai-projects.endpoints'
import { useQueries } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery } from '../../api/api-query.ts'
import { useDatabases } from '../explorer/explorer.queries.ts'

export interface ProjectTable {
  key: string
  integration_trellis_code: string
  schema_name: string
  table_name: string
}

/** Skips databases that are inactive. */
export function useProjectTableList(params: WorkspaceAddress, project_trellis_code: string) {
  const databases = useDatabases(params)
  const tableQueries = useQueries({
    queries: (databases.data ?? []).map(({ integration_trellis_code }) => ({
      ...apiQuery(getAiProjectTables, { params: { ...params, project_trellis_code, integration_trellis_code } }),
      enabled: project_trellis_code !== '',
    })),
    combine: (queries) => ({
      isLoading: queries.some((query) => query.isLoading),
      tables: queries.flatMap(({ data }): ProjectTable[] =>
        (data?.tables ?? [])
          .filter(({ is_chosen, kind }) => is_chosen && kind !== 'missing')
          .map(({ schema_name, table_name }) => ({
            key: JSON.stringify([data?.integration_trellis_code, schema_name, table_name]),
            integration_trellis_code: data?.integration_trellis_code ?? '',
            schema_name,
            table_name,
          })),
      ),
    }),
  })
  return { tables: tableQueries.tables, isLoading: databases.isPending || tableQueries.isLoading }
}
