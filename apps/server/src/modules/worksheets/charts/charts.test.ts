import * as calls from '@trellis/contract/worksheets/charts.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type TestProject, type Writer, createWriter, makeProject } from '../../../testing/worksheets.ts'

let app: TestApp
let project: TestProject
let anna: Writer
let ben: Writer
let vera: Writer

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  project = await makeProject(app)
  anna = project.owner
  ben = await project.join('workspace_editor')
  vera = await project.join('workspace_viewer')
})
afterAll(async () => await app.close())

const bars = { kind: 'bar' as const, x: 'status', y: [{ column: 'orders', aggregate: 'sum' as const }] }
const at = (file_id: string, statement = 0) => ({ project_id: project.projectId, file_id, statement })
const save = ({ client }: Writer, file_id: string, spec: object = bars) =>
  client.call(calls.saveWorksheetChart, { params: project.tenant, body: { ...at(file_id), spec: spec as typeof bars } })
const list = ({ client, params }: Writer, file_id: string) =>
  client.call(calls.listWorksheetCharts, { params: { ...params, file_id } })

test('a chart is its owner’s until the file is pushed, and then everybody has it', async () => {
  const { data: file } = await anna.create('Charted', 'select 1')
  const savedResponse = await save(anna, file.file_id)
  expect(savedResponse.data).toMatchObject({
    statement: 0,
    is_shared: false,
    spec: { kind: 'bar', x: 'status', top: null },
  })
  expect((await list(ben, file.file_id)).status).toBe(404)
  await anna.pull()
  expect((await anna.push('Add')).status).toBe(200)
  await ben.pull()
  expect((await list(ben, file.file_id)).data).toMatchObject([{ is_shared: true, spec: { kind: 'bar' } }])
  expect((await list(anna, file.file_id)).data).toHaveLength(1)
})

test('an own chart hides the shared one, can be shared in its place or deleted', async () => {
  const { data: file } = await anna.create('Shared', 'select 1')
  await anna.pull()
  await anna.push('Add')
  await ben.pull()
  await vera.pull()
  await save(anna, file.file_id)
  const share = (who: Writer) =>
    who.client.call(calls.shareWorksheetChart, { params: project.tenant, body: at(file.file_id) })
  expect((await share(anna)).data).toMatchObject({ is_shared: true })
  expect((await share(anna)).status).toBe(404)
  await save(ben, file.file_id, { ...bars, kind: 'pie' })
  await save(ben, file.file_id, { ...bars, kind: 'line' })
  expect((await list(ben, file.file_id)).data).toMatchObject([
    { is_shared: false, spec: { kind: 'line' } },
    { is_shared: true, spec: { kind: 'bar' } },
  ])
  await save(vera, file.file_id, { ...bars, kind: 'area' })
  expect((await share(vera)).status).toBe(403)
  expect((await list(anna, file.file_id)).data).toHaveLength(1)
  await ben.client.call(calls.deleteWorksheetChart, { params: project.tenant, query: at(file.file_id) })
  expect((await list(ben, file.file_id)).data).toMatchObject([{ is_shared: true }])
})

test('charts of another account’s files look as if they were not there, and code is no chart', async () => {
  const { data: file } = await anna.create('Mine', 'select 1')
  const stranger = await makeAccount(app)
  const outside = createWriter(stranger.owner, project.tenant, project.projectId)
  expect((await list(outside, file.file_id)).status).toBe(404)
  expect((await save(anna, 'nosuchfile')).status).toBe(404)
  expect((await save(anna, file.file_id, { ...bars, kind: 'script' })).status).toBe(400)
})
