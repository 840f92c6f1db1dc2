import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/dataflows/dataflows.endpoints'
import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { Canvas, SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { connectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { createIntegration } from '@trellis/contract/integrations/integrations.endpoints'
import { publishBlock } from '@trellis/contract/runs/versions.endpoints'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

export interface TestFlows {
  readonly workspace: ReadyWorkspace
  call: TestClient['call']
  dataflow(name: string, more?: object): Promise<string>
  source(dataflow: string, name: string, settings?: object): Promise<string>
  destination(dataflow: string, name: string, settings?: object): Promise<string>
  sql(dataflow: string, name: string, settings?: object): Promise<string>
  connection(name?: string): Promise<string>
  canvas(dataflow: string): Promise<Canvas>
  read(kind: ActivityKind, block: string): ReturnType<typeof readAs>
  change(kind: ActivityKind, block: string, settings: object): ReturnType<typeof readAs>
  connect(from: string, to: string): ReturnType<typeof readAs>
  publish(block: string, message?: string): ReturnType<typeof publishAs>
  liveWaits(block: string): Promise<string[]>
}

const READ = {
  Source: canvas.getSourceBlock,
  Transformation: canvas.getTransformationBlock,
  Destination: canvas.getDestinationBlock,
} as const
const UPDATE = {
  Source: canvas.updateSourceBlock,
  Transformation: canvas.updateTransformationBlock,
  Destination: canvas.updateDestinationBlock,
} as const
const CREATE = {
  Source: canvas.createSourceBlock,
  Transformation: canvas.createTransformationBlock,
  Destination: canvas.createDestinationBlock,
} as const

const readAs = (call: TestClient['call'], kind: ActivityKind, block: string) =>
  call(READ[kind] as typeof canvas.getTransformationBlock, { params: { task_block_trellis_code: block } })
const publishAs = (call: TestClient['call'], block: string, body: object) =>
  call(publishBlock, { params: { task_block_trellis_code: block }, body })

export const writeTo = (table: string, more: object = {}) => ({
  schema_name: 'data',
  table_name: table,
  strategy: 'Append',
  dataModel: null,
  schema_policy: 'evolve',
  bad_rows: { choice: 'quarantine', most: 1000 },
  ...more,
})

export const ordersFrom = (connection: string, write: object = writeTo('orders')): Partial<SourceSettings> =>
  ({
    integration_trellis_code: connection,
    subtasks: [{ name: 'orders', query: { data: { stream: 'orders' } }, is_incremental: true, write }],
  }) as Partial<SourceSettings>

export async function testFlows(app: TestApp, ready?: ReadyWorkspace): Promise<TestFlows> {
  const workspace = ready ?? (await makeReadyWorkspace(app))
  const { owner } = workspace.account
  const call: TestClient['call'] = (endpoint, input = {}) =>
    owner.call(endpoint, { ...input, params: { ...workspace.tenant, ...input.params } })
  const { db } = app.database
  const make = async (kind: ActivityKind, dataflow: string, { name, settings }: { name: string; settings: object }) => {
    const metadata = { x: 0, y: 0, group_trellis_code: null, note: '' }
    const body = { dataflow_trellis_code: dataflow, name, metadata, settings }
    const { status, text, data } = await call(CREATE[kind] as typeof canvas.createTransformationBlock, { body })
    if (status !== 200) throw new Error(text)
    return data.task_block_trellis_code
  }
  const change: TestFlows['change'] = async (kind, block, settings) => {
    const { version } = (await readAs(call, kind, block)).data
    const body = { task_block_trellis_code: block, version, settings }
    return await call(UPDATE[kind] as typeof canvas.updateTransformationBlock, { body })
  }
  return {
    workspace,
    call,
    change,
    dataflow: async (name, more = {}) => {
      const { data, text, status } = await call(calls.createDataflow, { body: { name, ...more } })
      if (status !== 200) throw new Error(text)
      return data.trellis_code
    },
    source: (dataflow, name, settings = {}) => make('Source', dataflow, { name, settings }),
    destination: (dataflow, name, settings = {}) => make('Destination', dataflow, { name, settings }),
    sql: (dataflow, name, settings = { code: 'select 1' }) => make('Transformation', dataflow, { name, settings }),
    connection: async (name = 'Samples') => {
      const body = { platform_trellis_code: 'sample_data', name, values: { shop: { orders_a_year: 1000, seed: 1 } } }
      const { data, text, status } = await call(createIntegration, { body })
      if (status !== 200) throw new Error(text)
      const code = data.integration_trellis_code
      await db
        .updateTable('integrations')
        .set({ state: 'ACTIVE', validation: 'COMPLETED_SUCCESS' })
        .where('trellis_code', '=', code)
        .execute()
      return code
    },
    canvas: async (dataflow) => (await call(canvas.getCanvas, { params: { dataflow_trellis_code: dataflow } })).data,
    read: (kind, block) => readAs(call, kind, block),
    connect: async (from, to) => {
      const { trigger } = (await readAs(call, 'Transformation', to)).data.settings
      return await change('Transformation', to, { trigger: connectActivity(trigger, from, generateTrellisCode()) })
    },
    publish: async (block, message) => {
      const row = await db
        .selectFrom('task_blocks')
        .select('version')
        .where('trellis_code', '=', block)
        .executeTakeFirstOrThrow()
      return await publishAs(call, block, { version: row.version, message })
    },
    liveWaits: async (block) => {
      const rows = await db
        .selectFrom('live_waits')
        .innerJoin('task_blocks as b', 'b.id', 'live_waits.block_id')
        .innerJoin('task_blocks as u', 'u.id', 'live_waits.upstream_id')
        .select('u.trellis_code')
        .where('b.trellis_code', '=', block)
        .execute()
      return rows.map(({ trellis_code }) => trellis_code)
    },
  }
}
