import * as calls from '@trellis/contract/ai/ai-projects.endpoints'
import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import { listSparks } from '@trellis/contract/sparks/sparks.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'

const PROJECTS = [calls.listAiProjects, calls.getAiProject]
const CONTEXTS = [calls.listBusinessContexts, calls.listStarterQuestions, calls.listSuggestedQuestions]

export function useAiProjects(params: WorkspaceAddress, page = 1) {
  return useQuery({ ...apiQuery(calls.listAiProjects, { params, query: { page } }), staleTime: 0 })
}

export function useAiProject(params: WorkspaceAddress, project_trellis_code: string) {
  return useQuery({ ...apiQuery(calls.getAiProject, { params: { ...params, project_trellis_code } }), staleTime: 0 })
}

export function useCreateAiProject() {
  return useApiMutation(calls.createAiProject, { invalidates: PROJECTS })
}

export function useUpdateAiProject() {
  return useApiMutation(calls.updateAiProject, { invalidates: PROJECTS, successText: 'Project saved.' })
}

export function useDeleteAiProject() {
  return useApiMutation(calls.deleteAiProject, {
    invalidates: [...PROJECTS, listSparks, getWorkspaceDashboard],
    successText: 'Project deleted.',
    errorText: withDetail('The project could not be deleted.'),
  })
}

interface DatabaseOfProject {
  project_trellis_code: string
  integration_trellis_code: string
}

export function useProjectTables(params: WorkspaceAddress, database: DatabaseOfProject) {
  return useQuery({ ...apiQuery(calls.getAiProjectTables, { params: { ...params, ...database } }), staleTime: 0 })
}

export function useStarterQuestions(params: WorkspaceAddress, project_trellis_code: string) {
  return useQuery(apiQuery(calls.listStarterQuestions, { params: { ...params, project_trellis_code } }))
}

export function useSuggestedQuestions(params: WorkspaceAddress, project_trellis_code: string) {
  return useQuery({
    ...apiQuery(calls.listSuggestedQuestions, { params: { ...params, project_trellis_code } }),
    staleTime: 0,
  })
}

export function useUpdateProjectTables() {
  return useApiMutation(calls.updateAiProjectTables, {
    invalidates: [...PROJECTS, ...CONTEXTS, calls.getAiProjectTables],
    successText: 'Tables saved.',
    errorText: withDetail('The tables could not be saved.'),
  })
}

export function useBusinessContexts(params: WorkspaceAddress, page: number) {
  return useQuery({ ...apiQuery(calls.listBusinessContexts, { params, query: { page } }), staleTime: 0 })
}

export function useCreateContext(texts: { successText?: string; errorText?: ReturnType<typeof withDetail> } = {}) {
  return useApiMutation(calls.createBusinessContext, { invalidates: CONTEXTS, ...texts })
}

export function useUpdateContext() {
  return useApiMutation(calls.updateBusinessContext, { invalidates: CONTEXTS })
}

export function useDeleteContext() {
  return useApiMutation(calls.deleteBusinessContext, {
    invalidates: CONTEXTS,
    errorText: withDetail('The business context could not be deleted.'),
  })
}
