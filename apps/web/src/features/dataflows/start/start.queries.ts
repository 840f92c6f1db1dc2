import { createSourceBlock, deleteBlock, getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { listIntegrationOptions } from '@trellis/contract/integrations/integrations.endpoints'
import { getPostgresSchema } from '@trellis/contract/integrations/integrations.endpoints'
import { executeDataflow, getFlowRun, listFlowRuns } from '@trellis/contract/runs/flow-runs.endpoints'
import { publishBlock } from '@trellis/contract/runs/versions.endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatEstimate } from '../../../ui/data/amounts.ts'
import { apiQuery } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'
import type { Chooser, TableChoice } from './start-plan.ts'

const LOOK_AGAIN_MS = 1000

export interface StartedFlow {
  block: string
  flowRun: string | null
  /** Published, but the first run did not start. */
  problem: string | null
  tables: { schema: string; table: string }[]
}

interface StartInput {
  dataflow: string
  name: string
  settings: Pick<SourceSettings, 'integration_trellis_code' | 'subtasks' | 'trigger'>
}

/** Create, publish, run once. Deletes the source again when it can't be published. */
export function useStartFlow() {
  const { address } = useDataflowsScope()
  const client = useQueryClient()
  return useMutation<StartedFlow, Error, StartInput>({
    mutationFn: async ({ dataflow, name, settings }) => {
      const createdBlock = await call(createSourceBlock, {
        params: address,
        body: {
          dataflow_trellis_code: dataflow,
          name,
          metadata: { x: 0, y: 0, note: '', group_trellis_code: null },
          settings,
        },
      })
      const params = { ...address, task_block_trellis_code: createdBlock.task_block_trellis_code }
      try {
        await call(publishBlock, { params, body: { version: createdBlock.version } })
      } catch (error) {
        await call(deleteBlock, { params }).catch(() => undefined)
        throw error
      }
      const ran = await call(executeDataflow, { params: { ...address, trellis_code: dataflow } }).catch(
        (error: Error) => error,
      )
      const isRunning = !(ran instanceof Error)
      return {
        block: createdBlock.task_block_trellis_code,
        flowRun: isRunning ? ran.flow_run_trellis_code : null,
        problem: isRunning ? null : ran.message,
        tables: settings.subtasks.flatMap(({ write }) =>
          write ? [{ schema: write.schema_name, table: write.table_name }] : [],
        ),
      }
    },
    onSettled: () =>
      Promise.all(
        [getCanvas, getFolderStructure, listFlowRuns].map(({ id }) => client.invalidateQueries({ queryKey: [id] })),
      ),
  })
}

/** Polls until it ends. */
export function useFirstRun(flowRun: string | null) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(getFlowRun, { params: { ...address, flow_run_trellis_code: flowRun ?? '' } }),
    enabled: flowRun !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : LOOK_AGAIN_MS),
  })
}

export function useTableChoices(integration: string, chooser: Chooser | null) {
  const { address } = useDataflowsScope()
  const params = { ...address, integration_trellis_code: integration }
  const isTables = chooser?.element.type === 'table_picker'
  const { options = [], options_from: from } = chooser?.element.type === 'select' ? chooser.element.properties : {}
  const tables = useQuery({ ...apiQuery(getPostgresSchema, { params }), enabled: isTables, retry: false })
  const optionsQuery = useQuery({
    ...apiQuery(listIntegrationOptions, { params, query: { options: from ?? '' } }),
    enabled: from !== undefined,
    retry: false,
  })
  const { isFetching, error, refetch } = isTables ? tables : optionsQuery
  const choices: TableChoice[] = isTables
    ? (tables.data?.schemas ?? []).flatMap((schema) =>
        schema.tables.map((table) => ({
          key: `${schema.name}.${table.name}`,
          label: table.name,
          group: schema.name,
          note: table.kind === 'view' ? 'view' : `${formatEstimate(table.rows)} rows`,
          value: { schema: schema.name, table: table.name },
        })),
      )
    : [...options, ...(optionsQuery.data ?? [])].map(({ value, label, hint }) => ({
        key: value,
        label,
        group: '',
        note: hint ?? '',
        value,
      }))
  return { choices, isLoading: isFetching && choices.length === 0, error, refetch }
}
