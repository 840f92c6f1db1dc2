import * as calls from '@trellis/contract/worksheets/charts.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../../api/api-query.ts'

export function useWorksheetCharts(params: WorkspaceAddress, address: { projectId: string; fileId: string }) {
  const all = { ...params, project_id: address.projectId, file_id: address.fileId }
  return useQuery({ ...apiQuery(calls.listWorksheetCharts, { params: all }), enabled: address.projectId !== '' })
}

export function useSaveChart() {
  return useApiMutation(calls.saveWorksheetChart, {
    invalidates: [calls.listWorksheetCharts],
    errorText: withDetail('The chart could not be saved.'),
  })
}

export function useShareChart() {
  return useApiMutation(calls.shareWorksheetChart, {
    invalidates: [calls.listWorksheetCharts],
    successText: 'Everybody in the project sees this chart now.',
    errorText: withDetail('The chart could not be shared.'),
  })
}

export function useDeleteChart() {
  return useApiMutation(calls.deleteWorksheetChart, {
    invalidates: [calls.listWorksheetCharts],
    errorText: withDetail('The chart could not be reset.'),
  })
}
