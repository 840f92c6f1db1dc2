import {
  cancelExport,
  downloadExport,
  exportTable,
  getExport,
  listExports,
} from '@trellis/contract/explorer/rows.endpoints'
import type { ExportJob } from '@trellis/contract/explorer/explorer.schemas'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { saveFile } from '../../api/save-file.ts'

const ASK_AGAIN_MS = 1000

export function useStartExport() {
  return useApiMutation(exportTable, { invalidates: [listExports] })
}

/** Polls until it has ended. */
export function useExport(params: WorkspaceAddress, started: ExportJob) {
  return useQuery({
    ...apiQuery(getExport, { params: { ...params, job_id: started.job_id } }),
    initialData: started,
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.status === 'in_progress' ? ASK_AGAIN_MS : false),
  })
}

export function useExports(params: WorkspaceAddress) {
  return useQuery({
    ...apiQuery(listExports, { params }),
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.some((job) => job.status === 'in_progress') ? ASK_AGAIN_MS : false),
  })
}

export function useCancelExport() {
  return useApiMutation(cancelExport, {
    invalidates: [listExports, getExport],
    errorText: withDetail('The export could not be stopped.'),
  })
}

export function useDownloadExport(params: WorkspaceAddress) {
  return useMutation({
    mutationFn: (job: Pick<ExportJob, 'job_id' | 'file_name'>) =>
      saveFile(downloadExport, { params: { ...params, job_id: job.job_id } }, job.file_name),
    meta: { texts: { errorText: withDetail('The file could not be downloaded.') } },
  })
}
