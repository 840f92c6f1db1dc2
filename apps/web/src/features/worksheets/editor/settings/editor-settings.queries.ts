import { getSqlLimits } from '@trellis/contract/sql/sql.endpoints'
import { DEFAULT_EDITOR_SETTINGS, type EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import { getEditorSettings, updateEditorSettings } from '@trellis/contract/worksheets/projects.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../../api/api-query.ts'

export function useEditorSettings(params: WorkspaceAddress) {
  const client = useQueryClient()
  const query = apiQuery(getEditorSettings, { params })
  const { data: settings = DEFAULT_EDITOR_SETTINGS } = useQuery(query)
  const update = useApiMutation(updateEditorSettings, {
    errorText: withDetail('The editor settings could not be saved.'),
  })
  return {
    settings,
    change: (change: Partial<EditorSettings>) => {
      client.setQueryData(query.queryKey, { ...settings, ...change })
      update.mutate({ params, body: change })
    },
  }
}

export function useSqlLimits(params: WorkspaceAddress) {
  return useQuery(apiQuery(getSqlLimits, { params })).data
}
