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
import type { UploadPlace } from './upload-place.ts'

const ASK_AGAIN_MS = 700
const LOOK_AGAIN_MS = 4000

const toDatabaseParams = ({ address, database }: UploadPlace) => ({ ...address, integration_trellis_code: database })
const toSchemaParams = (place: UploadPlace) => ({ ...toDatabaseParams(place), schema_name: place.schema })
const toTableParams = (place: UploadPlace, table_name: string) => ({ ...toSchemaParams(place), table_name })

const fileQuery = (place: UploadPlace, fileId: string) =>
  apiQuery(getFileMetadata, { params: { ...toDatabaseParams(place), file_id_table_id: fileId } })

export function useSchemaFiles(place: UploadPlace) {
  return useQuery({
    ...apiQuery(listSchemaFiles, { params: toSchemaParams(place) }),
    staleTime: 0,
    enabled: place.canUpload,
  })
}

export function useRunningJobs(place: UploadPlace) {
  return useQuery({
    ...apiQuery(listUploadJobs, { params: place.address, query: { status: 'in_progress', limit: 50 } }),
    staleTime: 0,
    enabled: place.canUpload,
    refetchInterval: (query) => (query.state.data?.length ? LOOK_AGAIN_MS / 2 : false),
    select: (jobs) => jobs.filter((job) => job.schema_name === place.schema),
  })
}

export function useFile(place: UploadPlace, fileId: string | null) {
  return useQuery({ ...fileQuery(place, fileId ?? ''), enabled: fileId !== null && place.canUpload, staleTime: 0 })
}

/** Writes a response into the cache, so that the wizard advances without a request. */
export function useKeepFile(place: UploadPlace) {
  const client = useQueryClient()
  const { address, database } = place
  return useCallback(
    (file: UploadFile) => {
      client.setQueryData(fileQuery({ address, database } as UploadPlace, file.file_id).queryKey, file)
    },
    [client, address, database],
  )
}

export function useJob(place: UploadPlace, jobId: string | null) {
  const query = apiQuery(getUploadJob, { params: { ...place.address, job_id: jobId ?? '' } })
  return useQuery({
    ...query,
    enabled: jobId !== null && place.canUpload,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'in_progress' ? ASK_AGAIN_MS : false),
  })
}

/** A new job is the file's latest: no refetch needed. */
export function useKeepJob(place: UploadPlace) {
  const client = useQueryClient()
  const { address, database } = place
  return useCallback(
    (job: UploadJob) => {
      client.setQueryData(apiQuery(getUploadJob, { params: { ...address, job_id: job.job_id } }).queryKey, job)
      if (job.file_id === null) return
      const { queryKey } = fileQuery({ address, database } as UploadPlace, job.file_id)
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

export function useModel(place: UploadPlace, file: UploadFile, table: string) {
  return useQuery({
    ...apiQuery(getDataModel, {
      params: { ...toTableParams(place, table), file_id: file.file_id },
      query: { mode: place.mode },
    }),
    staleTime: 0,
  })
}

export function useTableDetails(place: UploadPlace, table: string | null) {
  return useQuery({
    ...apiQuery(getTableDetails, { params: toTableParams(place, table ?? '') }),
    enabled: table !== null,
  })
}

export function useLoads(place: UploadPlace, table: string | null) {
  return useQuery({
    ...apiQuery(listTableFiles, { params: toTableParams(place, table ?? '') }),
    staleTime: 0,
    enabled: table !== null && place.canUpload,
  })
}

const BAD_ROWS_PAGE = 100

export function useBadRows(place: UploadPlace, fileId: string) {
  const params = { ...toDatabaseParams(place), file_id: fileId }
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
export function usePreProcess(place: UploadPlace) {
  return useApiMutation(preProcessFile, { onSuccess: useKeepJob(place) })
}

/** Keeps the previous preview until the new one has loaded. */
export function usePreview(place: UploadPlace, fileId: string, dialect: Partial<Dialect>) {
  return useQuery({
    ...apiQuery(previewFile, { params: place.address, body: { file_id: fileId, dialect } }),
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
