import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import { exportDataflow, importDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { listBlockVersions } from '@trellis/contract/runs/versions.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import * as scheduled from '@trellis/contract/worksheets/scheduled.endpoints'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startFlowsApp } from '../../../testing/flows-app.ts'
import { openGit } from '../../../testing/git-client.ts'
import { type TestProject, type Writer, createWriter } from '../../../testing/worksheets.ts'
import { decideUpdate } from './decide-update.ts'
import { findSqlProblem } from './sql-problem.ts'

const { app, flows } = await startFlowsApp()
let anna: Writer
let number = 0
const removed: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  const { account, tenant } = flows.workspace
  const body = { name: `Reports ${(number += 1)}` }
  const createdResponse = await account.owner.call(projects.createProject, { params: tenant, body })
  anna = createWriter(account.owner, tenant, createdResponse.data.project_id)
})
afterAll(async () => {
  for (const remove of removed) await remove()
})

async function publishFile(name: string, sql: string): Promise<string> {
  const { data } = await anna.create(name, sql)
  await anna.push(`Add ${name}`)
  return data.file_id
}

const runAs = (file_id: string, more: object = {}) =>
  flows.call(scheduled.runAsDataflow, {
    body: {
      project_id: anna.params.project_id,
      file_id,
      dataflow: { name: 'Nightly', folder_trellis_code: null },
      block_name: 'Revenue',
      table: null,
      ...more,
    },
  })

async function makeBlock(sql = 'create table if not exists made (n int)') {
  const fileId = await publishFile('Revenue', sql)
  const { data } = await runAs(fileId)
  return { fileId, block: data.task_block_trellis_code, dataflow: data.dataflow_trellis_code }
}

const getSettings = async (block: string) =>
  (await flows.read('Transformation', block)).data.settings as TransformationSettings
const getPlan = async () => (await flows.call(scheduled.getPushPlan, { params: anna.params })).data
const getVersions = async (block: string) =>
  (await flows.call(listBlockVersions, { params: { task_block_trellis_code: block } })).data
const getLink = async (block: string) =>
  (await flows.call(scheduled.getBlockWorksheet, { params: { task_block_trellis_code: block } })).data
const updateFrom = async (block: string) => {
  const { version } = (await flows.read('Transformation', block)).data
  return await flows.call(scheduled.updateFromWorksheet, {
    params: { task_block_trellis_code: block },
    body: { version },
  })
}

test('a published worksheet becomes a block of a new dataflow or of one that is there', async () => {
  const { fileId, block, dataflow } = await makeBlock('select 1 as n')
  const [commit] = await anna.history(fileId)
  expect(await getSettings(block)).toMatchObject({
    code: 'select 1 as n',
    write: null,
    worksheet: { file_id: fileId, path: 'Revenue.sql', commit_id: commit?.commit.commit_id },
  })
  const table = { schema_name: 'data', table_name: 'revenue' }
  const second = await runAs(fileId, { dataflow: { trellis_code: dataflow }, table })
  expect((await flows.canvas(dataflow)).blocks.map(({ name }) => name)).toEqual(['Revenue', 'Revenue 2'])
  expect(await getSettings(second.data.task_block_trellis_code)).toMatchObject({ write: { table_name: 'revenue' } })
  const params = { ...anna.params, file_id: fileId }
  expect((await flows.call(scheduled.listWorksheetBlocks, { params })).data).toMatchObject([
    { name: 'Revenue', dataflow_name: 'Nightly', is_published: false, is_latest: true },
    { name: 'Revenue 2' },
  ])
})

test('a draft, a foreign file and SQL that a block can not run make none', async () => {
  const { data: draft } = await anna.create('Draft', 'select 1')
  expect(await runAs(draft.file_id)).toMatchObject({ status: 404 })
  const asking = await publishFile('Asking', 'select * from orders where id = :id')
  expect(await runAs(asking)).toMatchObject({ status: 409, text: expect.stringContaining(':id') })
  const several = await publishFile('Several', 'select 1; select 2')
  const table = { schema_name: 'data', table_name: 'made' }
  expect(await runAs(several, { table })).toMatchObject({ status: 409 })
  expect(await runAs(several, { dataflow: { trellis_code: 'nothing' } })).toMatchObject({ status: 404 })
})

test('a push says which blocks change, updates them and publishes those that are what is live', async () => {
  const { fileId, block } = await makeBlock('select 1')
  await flows.publish(block)
  await anna.write(fileId, 'select 2')
  const expected = { name: 'Revenue', dataflow_name: 'Nightly', path: 'Revenue.sql', update: 'published', reason: null }
  expect(await getPlan()).toMatchObject([expected])
  expect(await getSettings(block)).toMatchObject({ code: 'select 1' })
  const pushed = await anna.push('Count differently')
  expect(pushed.data.blocks).toMatchObject([expected])
  const worksheet = { file_id: fileId, commit_id: pushed.data.commit.commit_id }
  expect(await getSettings(block)).toMatchObject({ code: 'select 2', worksheet })
  expect(await getVersions(block)).toMatchObject([
    { number: 2, is_live: true, message: 'Worksheet Revenue.sql: Count differently', settings: { worksheet } },
    { number: 1, settings: { code: 'select 1' } },
  ])
  expect(await getPlan()).toEqual([])
  expect(await getLink(block)).toMatchObject({ state: 'latest', commit: { message: 'Count differently' } })
})

test('a block with other unpublished changes gets the text in its draft alone', async () => {
  const { fileId, block } = await makeBlock('select 1')
  await anna.write(fileId, 'select 2')
  expect(await getPlan()).toMatchObject([{ update: 'draft', reason: 'The block was never published.' }])
  await anna.push()
  await flows.publish(block)
  await flows.change('Transformation', block, { attempts: 7 })
  await anna.write(fileId, 'select 3')
  expect(await getPlan()).toMatchObject([{ update: 'draft' }])
  await anna.push()
  expect(await getSettings(block)).toMatchObject({ code: 'select 3', attempts: 7 })
  expect(await getVersions(block)).toMatchObject([{ is_live: true, settings: { code: 'select 2' } }])
})

test('SQL that is changed in the block is its own; other settings keep the link; a client can not make one', async () => {
  const { fileId, block } = await makeBlock('select 1')
  await flows.publish(block)
  const worksheet = (await getSettings(block)).worksheet
  await flows.change('Transformation', block, { attempts: 5, code: 'select 1' })
  expect((await getSettings(block)).worksheet).toEqual(worksheet)
  await flows.change('Transformation', block, { code: 'select 10' })
  expect((await getSettings(block)).worksheet).toBeUndefined()
  await flows.change('Transformation', block, { code: 'select 1', worksheet })
  expect((await getSettings(block)).worksheet).toBeUndefined()
  await flows.change('Transformation', block, { code: 'select 10' })
  await anna.write(fileId, 'select 2')
  expect(await getPlan()).toMatchObject([{ update: 'kept', reason: expect.stringContaining('changed in the block') }])
  await anna.push()
  expect(await getSettings(block)).toMatchObject({ code: 'select 10' })
})

test('a block that can not take the new text stays behind and is updated later', async () => {
  const { fileId, block } = await makeBlock('select 1')
  await flows.publish(block)
  await anna.write(fileId, 'select :day')
  expect(await getPlan()).toMatchObject([{ update: 'kept', reason: expect.stringContaining(':day') }])
  expect((await anna.push()).data.blocks).toMatchObject([{ update: 'kept' }])
  expect(await getLink(block)).toMatchObject({ state: 'behind' })
  expect(await updateFrom(block)).toMatchObject({ status: 409 })
  await anna.write(fileId, 'select 2')
  await anna.push()
  expect(await getSettings(block)).toMatchObject({ code: 'select 2' })
  expect(await updateFrom(block)).toMatchObject({ status: 200 })
})

test('a rename keeps the link, a deletion keeps the last version, a restored file is run again', async () => {
  const { fileId, block } = await makeBlock('select 1')
  await flows.publish(block)
  await anna.update(fileId, { name: 'Income' })
  expect(await getPlan()).toEqual([])
  expect((await anna.push()).data.blocks).toEqual([])
  expect(await getLink(block)).toMatchObject({ state: 'latest', name: 'Income.sql' })
  const [renamed] = await anna.history(fileId)
  await anna.remove(fileId)
  expect(await getPlan()).toMatchObject([{ update: 'kept', reason: expect.stringContaining('deleted') }])
  await anna.push()
  expect(await getLink(block)).toMatchObject({ state: 'deleted', path: 'Revenue.sql' })
  expect(await getSettings(block)).toMatchObject({ code: 'select 1' })
  expect(await updateFrom(block)).toMatchObject({ status: 409 })
  await anna.restore(fileId, { commit_id: renamed?.commit.commit_id ?? '' })
  await anna.push()
  expect(await getLink(block)).toMatchObject({ state: 'latest' })
})

test('unlinking keeps the SQL; nothing is linked twice', async () => {
  const { fileId, block } = await makeBlock('select 1')
  const { version } = (await flows.read('Transformation', block)).data
  const params = { task_block_trellis_code: block }
  expect(await flows.call(scheduled.unlinkWorksheet, { params, body: { version: version + 1 } })).toMatchObject({
    status: 409,
  })
  await flows.call(scheduled.unlinkWorksheet, { params, body: { version } })
  const settings = await getSettings(block)
  expect(settings).toMatchObject({ code: 'select 1' })
  expect(settings.worksheet).toBeUndefined()
  expect(await flows.call(scheduled.getBlockWorksheet, { params })).toMatchObject({ status: 404 })
  await anna.write(fileId, 'select 2')
  expect((await anna.push()).data.blocks).toEqual([])
})

test('a push by git updates the blocks as one from the browser does', async () => {
  const { fileId, block } = await makeBlock('select 1;\n')
  await flows.publish(block)
  const project = { tenant: flows.workspace.tenant, projectId: anna.params.project_id } as TestProject
  const git = await openGit(app, { project, writer: anna })
  removed.push(git.remove)
  await git.git('clone', '-q', git.url, '.')
  await git.commit('Revenue.sql', 'select 2;\n')
  await git.git('push', '-q', 'origin', 'main')
  const [pushed] = await anna.history(fileId)
  expect(await getVersions(block)).toMatchObject([
    { is_live: true, settings: { code: 'select 2;\n', worksheet: { commit_id: pushed?.commit.commit_id } } },
    { is_live: false },
  ])
})

test('an exported dataflow names no worksheet, and its import keeps the link of unchanged SQL', async () => {
  const { dataflow, block } = await makeBlock('select 1')
  const { yaml } = (await flows.call(exportDataflow, { params: { trellis_code: dataflow } })).data
  expect(yaml).not.toContain('worksheet:')
  const before = (await getSettings(block)).worksheet
  expect(await flows.call(importDataflow, { body: { yaml, trellis_code: dataflow } })).toMatchObject({ status: 200 })
  expect((await getSettings(block)).worksheet).toEqual(before)
  await flows.call(importDataflow, {
    body: { yaml: yaml.replace('select 1', 'select 9'), trellis_code: dataflow },
  })
  expect((await getSettings(block)).worksheet).toBeUndefined()
  const forged = await flows.call(canvas.createTransformationBlock, {
    body: {
      dataflow_trellis_code: dataflow,
      name: 'Forged',
      metadata: { x: 0, y: 0, group_trellis_code: null, note: '' },
      settings: { code: 'select 1', worksheet: before } as object,
    },
  })
  expect(forged.data.settings.worksheet).toBeUndefined()
})

test('whoever may publish worksheets but not change dataflows leaves blocks as they are', () => {
  const block = { draft_link: { project_id: 'p', file_id: 'f', path: 'A.sql', commit_id: 'c' }, is_published: true }
  const facts = { isDeleted: false, problem: null }
  expect(decideUpdate({ ...block, is_same: true }, { ...facts, isAllowed: false })).toMatchObject({ update: 'kept' })
  expect(decideUpdate({ ...block, is_same: true }, { ...facts, isAllowed: true })).toMatchObject({
    update: 'published',
  })
})

test('SQL that a block can not run is told in words', async () => {
  expect(await findSqlProblem("select now()::date, 'a :b', list[1:2] from t", true)).toBeNull()
  expect(await findSqlProblem('select * from @result.5', false)).toContain('@result')
  expect(await findSqlProblem('selec 1', false)).toContain('can not be run')
  expect(await findSqlProblem('-- nothing', false)).toBe('There is no SQL to run.')
})
