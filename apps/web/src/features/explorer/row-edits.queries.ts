import * as calls from '@trellis/contract/explorer/row-edits.endpoints'
import type { RowEdit } from '@trellis/contract/explorer/row-edits.schemas'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { tableRef } from './explorer.queries.ts'
import type { TableAddress } from './explorer-paths.ts'

const toTableParams = (params: WorkspaceAddress, table: TableAddress) => ({ ...params, ...tableRef(table) })

/** The preview works without it. */
export function useRowEditing(params: WorkspaceAddress, table: TableAddress) {
  return useQuery({
    ...apiQuery(calls.getRowEditing, { params: toTableParams(params, table) }),
    staleTime: 0,
    retry: false,
  })
}

export function useEditStatements(params: WorkspaceAddress, table: TableAddress, edits: RowEdit[]) {
  return useQuery({
    ...apiQuery(calls.previewRowEdits, { params: toTableParams(params, table), body: { edits } }),
    enabled: edits.length > 0,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export function useApplyEdits(params: WorkspaceAddress, table: TableAddress) {
  const apply = useApiMutation(calls.applyRowEdits, { invalidates: [calls.getRowEditing] })
  return {
    ...apply,
    apply: (edits: RowEdit[]) => apply.mutateAsync({ params: toTableParams(params, table), body: { edits } }),
  }
}

export function useUndoEdits(params: WorkspaceAddress, table: TableAddress) {
  const undo = useApiMutation(calls.undoRowEdits, { invalidates: [calls.getRowEditing] })
  return {
    ...undo,
    undo: (edit_id: string) => undo.mutateAsync({ params: toTableParams(params, table), body: { edit_id } }),
  }
}
