import * as alerts from '@trellis/contract/dataflows/alerts.endpoints'
import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as dataflows from '@trellis/contract/dataflows/dataflows.endpoints'
import * as samples from '@trellis/contract/dataflows/samples.endpoints'
import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { previewTable } from '@trellis/contract/explorer/rows.endpoints'
import type { FormaValues } from '@trellis/contract/formas/forma'
import * as sources from '@trellis/contract/integrations/canvas-sources.endpoints'
import { previewSource } from '@trellis/contract/integrations/integrations.endpoints'
import * as runs from '@trellis/contract/runs/runs.endpoints'
import * as versions from '@trellis/contract/runs/versions.endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'
import { getReadEndpoint } from './draft/block-kinds.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'

const SAMPLE_ROWS = 50

const toBlockInput = (address: WorkspaceAddress, code: string) => ({
  params: { ...address, task_block_trellis_code: code },
})
const toIdInput = (address: WorkspaceAddress, id: string) => ({ params: { ...address, id } })

export function useBlock(kind: ActivityKind, code: string) {
  const { address } = useDataflowsScope()
  const endpoint = getReadEndpoint(kind) as typeof canvas.getSourceBlock
  return useQuery({ ...apiQuery(endpoint, toBlockInput(address, code)), staleTime: 0 })
}

export function useDueTimes(schedule: ScheduleValue) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(runs.previewDueTimes, { params: address, body: { schedule } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
}

export function usePreviousBlocks(code: string) {
  const { address } = useDataflowsScope()
  return useQuery({ ...apiQuery(canvas.getPreviousBlocks, toBlockInput(address, code)), staleTime: 0 })
}

export function useBlockPlatforms(part: 'source' | 'destination') {
  const { address } = useDataflowsScope()
  const endpoint = part === 'source' ? sources.listSourcePlatforms : sources.listDestinationPlatforms
  return useQuery(apiQuery(endpoint, { params: address }))
}

/** Never cached: a connection may have been created in another tab. */
export function useBlockConnections(part: 'source' | 'destination', platform: string) {
  const { address } = useDataflowsScope()
  const endpoint = part === 'source' ? sources.listSourceIntegrations : sources.listDestinationIntegrations
  return useQuery({ ...apiQuery(endpoint, toIdInput(address, platform)), enabled: platform !== '', staleTime: 0 })
}

export function useQueryFormas(part: 'source' | 'destination', integration: string | null) {
  const { address } = useDataflowsScope()
  const endpoint = part === 'source' ? sources.getSourceFormas : sources.getDestinationFormas
  return useQuery({ ...apiQuery(endpoint, toIdInput(address, integration ?? '')), enabled: integration !== null })
}

export function useDataModel(code: string, subtask: string, isWanted: boolean) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(sources.getSourceDataModel, { ...toIdInput(address, code), query: { subtask_name: subtask } }),
    enabled: isWanted && subtask !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Polling interval of the replication slot. */
const SLOT_MS = 20_000

export function useCursors(code: string, { isPublished, isFollowed = false }: CursorsWanted) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(versions.getOverrides, toBlockInput(address, code)),
    enabled: isPublished,
    refetchInterval: isFollowed ? SLOT_MS : false,
    retry: false,
  })
}
interface CursorsWanted {
  isPublished: boolean
  isFollowed?: boolean
}

export function useManagedDatabases() {
  const { address } = useDataflowsScope()
  return useQuery(apiQuery(sources.listTransformationIntegrations, toIdInput(address, 'trellis_database')))
}

export function useDatabaseTables(database: string | null) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(sources.getTransformationSchema, toIdInput(address, database ?? '')),
    enabled: database !== null,
  })
}

export function usePackages(isWanted: boolean) {
  const { address } = useDataflowsScope()
  return useQuery({ ...apiQuery(canvas.listPackages, { params: address }), enabled: isWanted })
}

export function useSourcePreview(previewRequest: { integration: string; query: FormaValues }, isWanted: boolean) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(previewSource, {
      params: { ...address, integration_trellis_code: previewRequest.integration },
      body: { values: previewRequest.query, rows: SAMPLE_ROWS },
    }),
    enabled: isWanted,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export function useTableRows(database: string | null, tableAddress: { schema: string; table: string } | undefined) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(previewTable, {
      params: {
        ...address,
        integration_trellis_code: database ?? '',
        schema_name: tableAddress?.schema ?? '',
        table_name: tableAddress?.table ?? '',
      },
      query: { limit: SAMPLE_ROWS },
    }),
    enabled: database !== null && tableAddress !== undefined,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export interface SampleQuery {
  code: string
  side: 'input' | 'output'
  subtask?: string | undefined
  /** Part of the query key: another draft gives other rows. */
  version: number
}

export function useSampleRows({ code, side, subtask, version }: SampleQuery, isWanted: boolean) {
  const { address } = useDataflowsScope()
  const body = { side, rows: SAMPLE_ROWS, ...(subtask !== undefined && { subtask_name: subtask }) }
  const input = { ...toBlockInput(address, code), body }
  const query = apiQuery(samples.sampleBlock, input)
  return useQuery({
    queryKey: [...query.queryKey, version],
    queryFn: ({ signal }) => call(samples.sampleBlock, input, { signal }),
    enabled: isWanted,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export function usePublishPlan(code: string) {
  const { address } = useDataflowsScope()
  return useQuery({ ...apiQuery(versions.planPublish, toBlockInput(address, code)), staleTime: 0, gcTime: 0 })
}

const BLOCKS = [canvas.getCanvas, canvas.getSourceBlock, canvas.getTransformationBlock, canvas.getDestinationBlock]

export function usePublish() {
  return useApiMutation(versions.publishBlock, {
    invalidates: [...BLOCKS, versions.listBlockVersions, dataflows.getFolderStructure, runs.getTriggerStatus],
  })
}

export function useVersions(code: string) {
  const { address } = useDataflowsScope()
  return useQuery({ ...apiQuery(versions.listBlockVersions, toBlockInput(address, code)), staleTime: 0 })
}

export function useRestoreVersion() {
  return useApiMutation(versions.restoreBlockVersion, { invalidates: BLOCKS })
}

export function useRunBlock() {
  return useApiMutation(runs.executeBlock, { invalidates: [runs.listTaskRuns, canvas.getCanvas] })
}

export function useRenameBlock() {
  return useApiMutation(canvas.renameBlock, { invalidates: BLOCKS })
}

export function useUpdateDataflow() {
  return useApiMutation(dataflows.updateDataflow, {
    invalidates: [dataflows.getDataflow, dataflows.getFolderStructure, dataflows.describeDataflow],
    successText: 'Settings saved.',
  })
}

export function useTestAlerts() {
  return useApiMutation(alerts.testDataflowAlerts)
}

export function useRenewAlertKey() {
  return useApiMutation(alerts.renewAlertKey)
}
