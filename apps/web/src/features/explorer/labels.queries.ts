import { getTableDetails, listTables } from '@trellis/contract/explorer/explorer.endpoints'
import {
  createLabel,
  deleteLabel,
  listLabels,
  setTableLabels,
  updateLabel,
} from '@trellis/contract/explorer/labels.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'

const SHOWN = [listLabels, listTables, getTableDetails]

export function useLabels(params: WorkspaceAddress) {
  return useQuery(apiQuery(listLabels, { params }))
}

export function useCreateLabel() {
  return useApiMutation(createLabel, { invalidates: [listLabels] })
}

export function useUpdateLabel() {
  return useApiMutation(updateLabel, { invalidates: SHOWN, successText: 'Label saved.' })
}

export function useDeleteLabel() {
  return useApiMutation(deleteLabel, {
    invalidates: SHOWN,
    successText: 'Label deleted.',
    errorText: withDetail('The label could not be deleted.'),
  })
}

export function useSetTableLabels() {
  return useApiMutation(setTableLabels, {
    invalidates: SHOWN,
    errorText: withDetail('The labels could not be saved.'),
  })
}
