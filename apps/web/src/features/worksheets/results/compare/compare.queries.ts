import * as calls from '@trellis/contract/sql/sql.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { apiQuery } from '../../../../api/api-query.ts'

export function useKeptResults(params: WorkspaceAddress, fileId: string | null) {
  const query = { of: 'me' as const, status: 'completed' as const, ...(fileId !== null && { file_id: fileId }) }
  return useQuery({ ...apiQuery(calls.listQueryHistory, { params, query }), staleTime: 0 })
}

export function useKeptJob(params: WorkspaceAddress, jobId: string) {
  return useQuery(apiQuery(calls.getSqlJob, { params: { ...params, job_id: jobId } }))
}
