import { getSchemaSummary, getTableDetails, listTables } from '@trellis/contract/explorer/explorer.endpoints'
import { previewTable } from '@trellis/contract/explorer/rows.endpoints'
import {
  cancelUploadJob,
  deleteFile,
  deliverData,
  getDataModel,
  getFileMetadata,
  getUploadJob,
  listBadRows,
  listSchemaFiles,
  listTableFiles,
  listUploadJobs,
  preProcessFile,
  previewFile,
  undoLoad,
  updateFile,
  validateFile,
} from '@trellis/contract/uploads/uploads.endpoints'
import type { Dialect, UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import type { UploadScope } from './upload-scope.ts'

const ASK_AGAIN_MS = 700
const LOOK_AGAIN_MS = 4000

const toDatabaseParams = ({ address, database }: UploadScope) => ({ ...address, integration_trellis_code: database })
const toSchemaParams = (scope: UploadScope) => ({ ...toDatabaseParams(scope), schema_name: scope.schema })
const toTableParams = (scope: UploadScope, table_name: string) => ({ ...toSchemaParams(scope), table_name })

const fileQuery = (scope: UploadScope, fileId: string) =>
  apiQuery(getFileMetadata, { params: { ...toDatabaseParams(scope), file_id_table_id: fileId } })

export function useSchemaFiles(scope: UploadScope) {
  return useQuery({
    ...apiQuery(listSchemaFiles, { params: toSchemaParams(scope) }),
    staleTime: 0,
    enabled: scope.canUpload,
  })
}

export function useRunningJobs(scope: UploadScope) {
  return useQuery({
    ...apiQuery(listUploadJobs, { params: scope.address, query: { status: 'in_progress', limit: 50 } }),
    staleTime: 0,
    enabled: scope.canUpload,
    refetchInterval: (query) => (query.state.data?.length ? LOOK_AGAIN_MS / 2 : false),
    select: (jobs) => jobs.filter((job) => job.schema_name === scope.schema),
  })
}

export function useFile(scope: UploadScope, fileId: string | null) {
  return useQuery({ ...fileQuery(scope, fileId ?? ''), enabled: fileId !== null && scope.canUpload, staleTime: 0 })
}

/** Writes a response into the cache, so that the wizard advances without a request. */
export function useKeepFile(scope: UploadScope) {
  const client = useQueryClient()
  const { address, database } = scope
  return useCallback(
    (file: UploadFile) => {
      client.setQueryData(fileQuery({ address, database } as UploadScope, file.file_id).queryKey, file)
    },
    [client, address, database],
  )
}

export function useJob(scope: UploadScope, jobId: string | null) {
  const query = apiQuery(getUploadJob, { params: { ...scope.address, job_id: jobId ?? '' } })
  return useQuery({
    ...query,
    enabled: jobId !== null && scope.canUpload,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'in_progress' ? ASK_AGAIN_MS : false),
  })
}

/** A new job is the file's latest: no refetch needed. */
export function useKeepJob(scope: UploadScope) {
  const client = useQueryClient()
  const { address, database } = scope
  return useCallback(
    (job: UploadJob) => {
      client.setQueryData(apiQuery(getUploadJob, { params: { ...address, job_id: job.job_id } }).queryKey, job)
      if (job.file_id === null) return
      const { queryKey } = fileQuery({ address, database } as UploadScope, job.file_id)
      client.setQueryData(queryKey, (file) => file && { ...file, latest_job_id: job.job_id })
    },
    [client, address, database],
  )
}

export function useRefreshUploads() {
  const client = useQueryClient()
  return useCallback(async () => {
    const stale = [
      getFileMetadata,
      getDataModel,
      listSchemaFiles,
      listTableFiles,
      listBadRows,
      listUploadJobs,
      listTables,
      getSchemaSummary,
      getTableDetails,
      previewTable,
    ]
    await Promise.all(stale.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
  }, [client])
}

export function useModel(scope: UploadScope, file: UploadFile, table: string) {
  return useQuery({
    ...apiQuery(getDataModel, {
      params: { ...toTableParams(scope, table), file_id: file.file_id },
      query: { mode: scope.mode },
    }),
    staleTime: 0,
  })
}

export function useTableDetails(scope: UploadScope, table: string | null) {
  return useQuery({
    ...apiQuery(getTableDetails, { params: toTableParams(scope, table ?? '') }),
    enabled: table !== null,
  })
}

export function useTableFiles(scope: UploadScope, table: string | null) {
  return useQuery({
    ...apiQuery(listTableFiles, { params: toTableParams(scope, table ?? '') }),
    staleTime: 0,
    enabled: table !== null && scope.canUpload,
  })
}

const BAD_ROWS_PAGE = 100

export function useBadRows(scope: UploadScope, fileId: string) {
  const params = { ...toDatabaseParams(scope), file_id: fileId }
  return useInfiniteQuery({
    queryKey: [listBadRows.id, { params }],
    queryFn: ({ pageParam, signal }) =>
      call(listBadRows, { params, query: { after: pageParam, limit: BAD_ROWS_PAGE } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_after,
    staleTime: 0,
  })
}

/** On the mutation: a caller's callback is lost when its step unmounts. */
export function usePreProcess(scope: UploadScope) {
  return useApiMutation(preProcessFile, { onSuccess: useKeepJob(scope) })
}

/** Keeps the previous preview until the new one has loaded. */
export function usePreview(scope: UploadScope, fileId: string, dialect: Partial<Dialect>) {
  return useQuery({
    ...apiQuery(previewFile, { params: scope.address, body: { file_id: fileId, dialect } }),
    placeholderData: keepPreviousData,
  })
}

export function useUpdateFile() {
  return useApiMutation(updateFile)
}

export function useValidate() {
  return useApiMutation(validateFile)
}

export function useDeliver() {
  return useApiMutation(deliverData)
}

export function useUndo() {
  return useApiMutation(undoLoad, { errorText: withDetail('The load could not be undone.') })
}

export function useCancelJob() {
  return useApiMutation(cancelUploadJob, {
    invalidates: [getUploadJob, getFileMetadata, listUploadJobs, listSchemaFiles],
    errorText: withDetail('It could not be stopped.'),
  })
}

export function useDeleteFile() {
  return useApiMutation(deleteFile, {
    invalidates: [listSchemaFiles, getSchemaSummary],
    successText: 'File deleted.',
  })
}
