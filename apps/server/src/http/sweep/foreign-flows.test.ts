import { renewAlertKey, testDataflowAlerts } from '@trellis/contract/dataflows/alerts.endpoints'
import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/dataflows/dataflows.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { getSourceDataModel, validateGaql } from '@trellis/contract/integrations/canvas-sources.endpoints'
import * as yaml from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { sampleBlock } from '@trellis/contract/dataflows/samples.endpoints'
import * as flowRuns from '@trellis/contract/runs/flow-runs.endpoints'
import { inboundWebhooksEndpoints } from '@trellis/contract/runs/inbound-webhooks.endpoints'
import * as quarantine from '@trellis/contract/runs/quarantine.endpoints'
import * as runs from '@trellis/contract/runs/runs.endpoints'
import * as versions from '@trellis/contract/runs/versions.endpoints'
import * as scheduled from '@trellis/contract/worksheets/scheduled.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestFlows, ordersFrom, testFlows } from '../../modules/dataflows/testing/flows.ts'
import { addRun } from '../../modules/dataflows/testing/made-up-runs.ts'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { makeReadyWorkspace } from '../../testing/workspace.ts'

type Ids = Record<
  'folder' | 'flow' | 'source' | 'sql' | 'destination' | 'group' | 'connection' | 'run' | 'flowRun',
  string
>
type Input = { params?: object; body?: object; query?: object }

let app: TestApp
let first: TestFlows
let theirs: Ids
let others: { flows: TestFlows; own: Ids }[]

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const account = await makeAccount(app)
  first = await testFlows(app, await makeReadyWorkspace(app, { account, address: 'first' }))
  theirs = await makeEverything(first)
  const second = await testFlows(app, await makeReadyWorkspace(app, { account, address: 'second' }))
  const elsewhere = await testFlows(app)
  others = [
    { flows: second, own: await makeEverything(second) },
    { flows: elsewhere, own: await makeEverything(elsewhere) },
  ]
})
afterAll(async () => {
  for (const { workspace } of [first, ...others.map(({ flows }) => flows)]) await workspace.remove()
  await app.close()
})

async function makeEverything(flows: TestFlows): Promise<Ids> {
  const folder = await flows.call(calls.createDataflowFolder, { body: { name: 'Mine' } })
  const flow = await flows.dataflow('Mine')
  const connection = await flows.connection('Mine')
  const group = await flows.call(canvas.putCanvasGroup, {
    body: { dataflow_trellis_code: flow, name: 'Mine', color: 'blue' },
  })
  const sql = await flows.sql(flow, 'SQL')
  await flows.publish(sql)
  const run = await addRun(app, sql, { status: 'FAILED', message: 'No.' })
  return {
    folder: folder.data.trellis_code,
    flow,
    source: await flows.source(flow, 'Source', ordersFrom(connection)),
    sql,
    destination: await flows.destination(flow, 'Destination'),
    group: group.data.trellis_code,
    connection,
    run: run.code,
    flowRun: run.flowRunCode,
  }
}

const NOBODY: Ids = {
  folder: 'zzzzzzzzzzzz',
  flow: 'zzzzzzzzzzzz',
  source: 'zzzzzzzzzzzz',
  sql: 'zzzzzzzzzzzz',
  destination: 'zzzzzzzzzzzz',
  group: 'zzzzzzzzzzzz',
  connection: 'zzzzzzzzzzzz',
  run: 'zzzzzzzzzzzz',
  flowRun: 'zzzzzzzzzzzz',
}

function callsWith(ids: Ids, ownIds: Ids): [Endpoint, Input][] {
  const flow = { params: { trellis_code: ids.flow, relative_trellis_code: ids.flow, dataflow_trellis_code: ids.flow } }
  const block = (code: string) => ({ params: { task_block_trellis_code: code } })
  const metadata = { x: 0, y: 0, note: '', group_trellis_code: null }
  const made = { dataflow_trellis_code: ownIds.flow, name: 'New', metadata }
  const change = (code: string, settings: object = { attempts: 4 }) => ({
    body: { task_block_trellis_code: code, version: 1, settings },
  })
  const group = { dataflow_trellis_code: ownIds.flow, name: 'New', color: 'red' }
  const move = (code: string, changed: object) => ({
    body: { blocks: [{ task_block_trellis_code: code, metadata: changed }] },
  })
  const folder = { params: { trellis_code: ids.folder } }
  return [
    [calls.getDataflow, flow],
    [calls.describeDataflow, flow],
    [calls.updateDataflow, { ...flow, body: { name: 'New' } }],
    [
      calls.updateDataflow,
      { params: { relative_trellis_code: ownIds.flow }, body: { folder_trellis_code: ids.folder } },
    ],
    [calls.deleteDataflow, flow],
    [calls.restoreDataflow, flow],
    [testDataflowAlerts, flow],
    [renewAlertKey, flow],
    [calls.createDataflow, { body: { name: 'New', folder_trellis_code: ids.folder } }],
    [calls.createDataflowFolder, { body: { name: 'New', parent_trellis_code: ids.folder } }],
    [calls.updateDataflowFolder, { ...folder, body: { name: 'New' } }],
    [
      calls.updateDataflowFolder,
      { params: { trellis_code: ownIds.folder }, body: { parent_trellis_code: ids.folder } },
    ],
    [calls.deleteDataflowFolder, folder],
    [canvas.getCanvas, flow],
    [canvas.putCanvasGroup, { body: { ...group, dataflow_trellis_code: ids.flow } }],
    [canvas.putCanvasGroup, { body: { ...group, trellis_code: ids.group } }],
    [canvas.putCanvasGroup, { body: { ...group, task_block_trellis_codes: [ids.sql] } }],
    [canvas.deleteCanvasGroup, { params: { trellis_code: ids.group } }],
    [canvas.createSourceBlock, { body: { ...made, dataflow_trellis_code: ids.flow } }],
    [canvas.createSourceBlock, { body: { ...made, settings: { integration_trellis_code: ids.connection } } }],
    [canvas.createTransformationBlock, { body: { ...made, dataflow_trellis_code: ids.flow } }],
    [canvas.createDestinationBlock, { body: { ...made, metadata: { ...metadata, group_trellis_code: ids.group } } }],
    [canvas.updateSourceBlock, change(ids.source)],
    [canvas.updateSourceBlock, change(ownIds.source, { integration_trellis_code: ids.connection })],
    [canvas.updateTransformationBlock, change(ids.sql)],
    [canvas.updateDestinationBlock, change(ids.destination)],
    [canvas.getSourceBlock, block(ids.source)],
    [canvas.getTransformationBlock, block(ids.sql)],
    [canvas.getDestinationBlock, block(ids.destination)],
    [canvas.updateBlockMetadata, move(ids.sql, { x: 5 })],
    [canvas.updateBlockMetadata, move(ownIds.sql, { group_trellis_code: ids.group })],
    [canvas.renameBlock, { body: { task_block_trellis_code: ids.sql, name: 'New' } }],
    [canvas.describeBlock, block(ids.sql)],
    [canvas.getPreviousBlocks, block(ids.sql)],
    [versions.publishBlock, { ...block(ids.sql), body: { version: 1 } }],
    [versions.planPublish, block(ids.sql)],
    [versions.listBlockVersions, block(ids.sql)],
    [versions.restoreBlockVersion, { ...block(ids.sql), body: { version: 1, draft_version: 1 } }],
    [versions.getOverrides, block(ids.source)],
    [scheduled.getBlockWorksheet, block(ids.sql)],
    [scheduled.updateFromWorksheet, { ...block(ids.sql), body: { version: 1 } }],
    [scheduled.unlinkWorksheet, { ...block(ids.sql), body: { version: 1 } }],
    [getSourceDataModel, { params: { id: ids.source }, query: { subtask_name: 'orders' } }],
    [validateGaql, { params: { id: ids.source }, body: { query: 'SELECT' } }],
    ...runCallsWith(ids),
    [canvas.deleteBlock, block(ids.sql)],
    [canvas.restoreBlock, block(ids.sql)],
  ]
}

function runCallsWith(ids: Ids): [Endpoint, Input][] {
  const block = { params: { task_block_trellis_code: ids.sql } }
  const run = { params: { task_run_trellis_code: ids.run } }
  const flow = { params: { trellis_code: ids.flow } }
  const flowRun = { params: { flow_run_trellis_code: ids.flowRun } }
  const file = 'trellis: dataflow\nversion: 1\nname: New\n'
  const settled = { choice: 'send', rows: [{ load_id: '00000000-0000-8000-8000-000000000000', row: 1 }] }
  return [
    [runs.executeBlock, { ...block, body: {} }],
    [runs.executeBlock, { ...block, body: { overrides: { data: { stream: 'orders' } } } }],
    [runs.listTaskRuns, flow],
    [runs.getTaskRun, run],
    [runs.cancelTaskRun, run],
    [runs.retryTaskRun, run],
    [runs.getTaskRunLogs, run],
    [runs.downloadTaskRunLogs, run],
    [runs.followDataflow, flow],
    [runs.followTaskRunLogs, run],
    [flowRuns.executeDataflow, flow],
    ...inboundWebhooksEndpoints.map((endpoint): [Endpoint, Input] => [endpoint, flow]),
    [flowRuns.listFlowRuns, flow],
    [flowRuns.getFlowRun, flowRun],
    [flowRuns.getFlowRunLogs, flowRun],
    [flowRuns.cancelFlowRun, flowRun],
    [flowRuns.retryFlowRun, flowRun],
    [runs.getTriggerStatus, block],
    [runs.simulateTriggers, block],
    [quarantine.listQuarantine, run],
    [quarantine.downloadQuarantine, run],
    [quarantine.settleQuarantine, { ...run, body: settled }],
    [quarantine.listComparisons, run],
    [quarantine.undoTaskRun, run],
    [sampleBlock, { ...block, body: { side: 'output' } }],
    [yaml.exportDataflow, flow],
    [yaml.importDataflow, { body: { yaml: file, trellis_code: ids.flow } }],
    [yaml.importDataflow, { body: { yaml: file, folder_trellis_code: ids.folder } }],
    [yaml.importDataflow, { body: { yaml: file, trellis_code: ids.flow, is_trial: true } }],
  ]
}

/** Without per-response ids. */
const shown = ({ status, text }: { status: number; text: string }) => [status, text.replaceAll(/"id":"[^"]*"/g, '"id"')]

test.each([
  ['another workspace of the account', 0],
  ['another account', 1],
])('dataflows of a workspace answer in %s like those of nobody', async (_, at) => {
  const { flows, own } = others[at] as (typeof others)[number]
  const random = callsWith(NOBODY, own)
  for (const [index, [endpoint, input]] of callsWith(theirs, own).entries()) {
    const foreign = shown(await flows.call(endpoint, input as never))
    expect(foreign, endpoint.id).toEqual(shown(await flows.call(endpoint, (random[index]?.[1] ?? {}) as never)))
    expect(foreign[0], `${endpoint.id}: ${foreign[1]}`).toBe(404)
  }
})

test('a trigger that names a block of somebody else says no more than one that names nobody', async () => {
  const { flows, own } = others[1] as (typeof others)[number]
  const waitFor = async (code: string) => {
    const actions = { a: { action: 'Activity', order: 0, actionValue: { taskBlockTrellisCode: code } } }
    const trigger = { eventEvaluationType: 'Or', actions, isFormaComplete: true }
    const { data } = await flows.change('Transformation', own.sql, { trigger })
    return { faults: data.faults, state: data.publish_state }
  }
  const foreign = await waitFor(theirs.sql)
  expect(foreign).toEqual(await waitFor('zzzzzzzzzzzz'))
  expect(foreign.faults[0]?.message).toContain('no longer there')
})

test('what was tried changed nothing', async () => {
  const { blocks, groups, name } = await first.canvas(theirs.flow)
  expect(name).toBe('Mine')
  expect(blocks.map((block) => [block.name, block.version])).toEqual([
    ['SQL', 1],
    ['Source', 1],
    ['Destination', 1],
  ])
  expect(groups).toHaveLength(1)
})
