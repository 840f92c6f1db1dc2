import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import { getTransformationBlock } from '@trellis/contract/dataflows/canvas.endpoints'
import { getPushPlan, listWorksheetBlocks } from '@trellis/contract/worksheets/scheduled.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'

const LISTS = [
  projects.listProjectFiles,
  projects.listProjects,
  projects.listUnpublishedChanges,
  branches.getUserBranch,
]

export const toDatabaseKey = (fileId: string): string => `trellis.worksheet.database ${fileId}`

export function useProjectFiles(params: WorkspaceAddress) {
  return useQuery({ ...apiQuery(projects.listProjectFiles, { params }), staleTime: 0 })
}

export function useProjects(params: WorkspaceAddress | null) {
  const query = apiQuery(projects.listProjects, {
    params: params ?? { account_trellis_code: '', workspace_address: '' },
  })
  return useQuery({ ...query, enabled: params !== null })
}

export function useWorksheetSearch(params: WorkspaceAddress | null, search: string) {
  const query = apiQuery(projects.searchWorksheets, {
    params: params ?? { account_trellis_code: '', workspace_address: '' },
    query: { search, limit: 50 },
  })
  return useQuery({ ...query, enabled: params !== null && search.trim() !== '' })
}

export function useCreateProject() {
  return useApiMutation(projects.createProject, { invalidates: LISTS })
}

export function useCreateWorksheet() {
  return useApiMutation(projects.createWorksheet, {
    invalidates: LISTS,
    errorText: withDetail('The worksheet could not be created.'),
  })
}

export function useRenameWorksheet() {
  return useApiMutation(projects.updateWorksheet, { invalidates: LISTS })
}

export function useDeleteWorksheet() {
  return useApiMutation(projects.deleteWorksheet, {
    invalidates: LISTS,
    errorText: withDetail('The worksheet could not be deleted.'),
  })
}

export function useRestoreWorksheet() {
  return useApiMutation(projects.restoreWorksheet, {
    invalidates: [...LISTS, branches.getUserFile],
    errorText: withDetail('The version could not be restored.'),
  })
}

export function useWorksheet(params: WorkspaceAddress, address: { projectId: string; fileId: string }) {
  const all = { ...params, project_id: address.projectId, file_id: address.fileId }
  return useQuery({ ...apiQuery(branches.getUserFile, { params: all }), staleTime: 0, gcTime: 0 })
}

export function useFetchWorksheet(params: WorkspaceAddress, address: { projectId: string; fileId: string }) {
  const client = useQueryClient()
  const all = { ...params, project_id: address.projectId, file_id: address.fileId }
  return () => client.fetchQuery({ ...apiQuery(branches.getUserFile, { params: all }), staleTime: 0 })
}

export function useUserBranch(params: WorkspaceAddress, projectId: string) {
  return useQuery({
    ...apiQuery(branches.getUserBranch, { params: { ...params, project_id: projectId } }),
    staleTime: 0,
  })
}

export function useConflicts(params: WorkspaceAddress, projectId: string) {
  return useQuery({
    ...apiQuery(branches.listConflicts, { params: { ...params, project_id: projectId } }),
    staleTime: 0,
  })
}

export function useFileHistory(params: WorkspaceAddress, address: { projectId: string; fileId: string }) {
  const all = { ...params, project_id: address.projectId, file_id: address.fileId }
  return useQuery({ ...apiQuery(branches.listFileHistory, { params: all }), staleTime: 0 })
}

export function useFileDiff(
  params: WorkspaceAddress,
  address: { projectId: string; fileId: string; commitId: string },
) {
  const all = { ...params, project_id: address.projectId, file_id: address.fileId, commit_id: address.commitId }
  return useQuery(apiQuery(branches.getFileDiff, { params: all }))
}

export function usePull() {
  return useApiMutation(branches.pullLiveBranch, {
    invalidates: [...LISTS, branches.getUserFile, branches.listConflicts],
    errorText: withDetail('The live branch could not be pulled.'),
  })
}

export function usePush() {
  return useApiMutation(branches.pushToLiveBranch, {
    invalidates: [...LISTS, branches.listFileHistory, getPushPlan, listWorksheetBlocks, getTransformationBlock],
    successText: 'Changes published.',
  })
}

export function useResolveConflict() {
  return useApiMutation(branches.resolveConflict, {
    invalidates: [...LISTS, branches.getUserFile, branches.listConflicts],
    errorText: withDetail('The conflict could not be resolved.'),
  })
}
