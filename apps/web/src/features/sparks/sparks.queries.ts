import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { cacheBreadcrumbName } from '../../app/shell/breadcrumb-names.ts'

const SPARKS = [
  calls.listSparks,
  calls.getSpark,
  calls.listSparkVersions,
  calls.getLatestSparkVersion,
  getWorkspaceDashboard,
]

export type SparkParams = WorkspaceAddress & { spark_trellis_code: string }

export function useSparkList(params: WorkspaceAddress) {
  return useQuery({ ...apiQuery(calls.listSparks, { params }), staleTime: 0 })
}

export function useProjectSparks(params: WorkspaceAddress & { project_trellis_code: string }) {
  return useQuery({ ...apiQuery(calls.listProjectSparks, { params }), staleTime: 0 })
}

export function useSpark(params: SparkParams) {
  const query = useQuery({ ...apiQuery(calls.getSpark, { params }), staleTime: 0 })
  const { spark_trellis_code } = params
  const name = query.data?.name
  useEffect(() => {
    if (name !== undefined) cacheBreadcrumbName(spark_trellis_code, name)
  }, [spark_trellis_code, name])
  return query
}

export function useSparkVersions(params: SparkParams) {
  return useQuery({ ...apiQuery(calls.listSparkVersions, { params }), staleTime: 0 })
}

export function useSparkTemplates(params: WorkspaceAddress) {
  return useQuery(apiQuery(calls.listSparkTemplates, { params }))
}

export function useCreateSpark() {
  return useApiMutation(calls.createSpark, {
    invalidates: SPARKS,
    errorText: withDetail('The spark could not be created.'),
  })
}

export function useUpdateSpark(texts: { successText?: string } = {}) {
  return useApiMutation(calls.updateSpark, {
    invalidates: SPARKS,
    errorText: withDetail('The spark could not be saved.'),
    ...texts,
  })
}

export function useDeleteSpark() {
  return useApiMutation(calls.deleteSpark, {
    invalidates: [calls.listSparks, getWorkspaceDashboard],
    successText: 'Spark deleted.',
    errorText: withDetail('The spark could not be deleted.'),
  })
}

const SCHEDULE = [calls.getSparkSchedule]

export function useSparkSchedule(params: SparkParams) {
  return useQuery({ ...apiQuery(calls.getSparkSchedule, { params }), staleTime: 0 })
}

export function useSaveSparkSchedule() {
  return useApiMutation(calls.saveSparkSchedule, {
    invalidates: SCHEDULE,
    successText: 'The mail is scheduled.',
    errorText: withDetail('The mail could not be scheduled.'),
  })
}

export function useDeleteSparkSchedule() {
  return useApiMutation(calls.deleteSparkSchedule, {
    invalidates: SCHEDULE,
    successText: 'No more mails of this spark.',
    errorText: withDetail('The mail could not be stopped.'),
  })
}
