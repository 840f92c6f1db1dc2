import * as calls from '@trellis/contract/sql/sql.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../../api/api-query.ts'
import type { WorkspaceParams } from '../../use-worksheets.ts'

/** Queries of mine whose results are kept; of one worksheet, or all. */
export function useKeptResults(params: WorkspaceParams, fileId: string | null) {
  const query = { of: 'me' as const, status: 'completed' as const, ...(fileId !== null && { file_id: fileId }) }
  return useQuery({ ...apiQuery(calls.listQueryHistory, { params, query }), staleTime: 0 })
}

export function useKeptJob(params: WorkspaceParams, jobId: string) {
  return useQuery(apiQuery(calls.getSqlJob, { params: { ...params, job_id: jobId } }))
}
