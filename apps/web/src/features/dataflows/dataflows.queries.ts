import { allows } from '@trellis/contract/core/permissions'
import { exportDataflow, importDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import {
  createDataflow,
  createDataflowFolder,
  deleteDataflow,
  deleteDataflowFolder,
  getDataflow,
  getFolderStructure,
  restoreDataflow,
  updateDataflow,
  updateDataflowFolder,
} from '@trellis/contract/dataflows/dataflows.endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { dataflowPaths } from './dataflow-paths.ts'

export function useDataflowsScope() {
  const { account, workspace, params: address, home } = useCurrentWorkspace()
  return useMemo(
    () => ({
      address,
      paths: dataflowPaths(home),
      canWrite: allows('dataflows:write', { accountRole: account.role, workspaceRole: workspace.role }),
    }),
    [address, home, account.role, workspace.role],
  )
}

export function useEditorParams(): {
  dataflowCode: string
  taskBlockCode: string
  logCode: string
  flowRunCode: string
} {
  const { dataflow = '', taskBlock = '', log = '', flowRun = '' } = useParams()
  return { dataflowCode: dataflow, taskBlockCode: taskBlock, logCode: log, flowRunCode: flowRun }
}

export function useFolderStructure(params: WorkspaceAddress) {
  return useQuery({ ...apiQuery(getFolderStructure, { params }), staleTime: 0 })
}

export function useDataflow(params: WorkspaceAddress, dataflowCode: string) {
  return useQuery({ ...apiQuery(getDataflow, { params: { ...params, trellis_code: dataflowCode } }), staleTime: 0 })
}

const LISTS = [getFolderStructure, getDataflow]

export const useCreateDataflow = () => useApiMutation(createDataflow, { invalidates: LISTS })
export const useCreateFolder = () => useApiMutation(createDataflowFolder, { invalidates: LISTS })
export const useUpdateFolder = () =>
  useApiMutation(updateDataflowFolder, { invalidates: LISTS, errorText: withDetail('The folder was not changed.') })
export const useDeleteFolder = () => useApiMutation(deleteDataflowFolder, { invalidates: LISTS })
export const useUpdateDataflow = () =>
  useApiMutation(updateDataflow, { invalidates: LISTS, errorText: withDetail('The dataflow was not changed.') })
export const useDeleteDataflow = () => useApiMutation(deleteDataflow, { invalidates: LISTS })
export const useRestoreDataflow = () =>
  useApiMutation(restoreDataflow, {
    invalidates: LISTS,
    successText: 'The dataflow is back.',
    errorText: withDetail('The dataflow could not be brought back.'),
  })
export const useImportDataflow = () => useApiMutation(importDataflow, { invalidates: LISTS })
export const useExportDataflow = () =>
  useApiMutation(exportDataflow, { errorText: withDetail('The dataflow could not be exported.') })
