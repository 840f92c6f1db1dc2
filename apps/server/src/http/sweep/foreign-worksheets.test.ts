import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as bin from '@trellis/contract/explorer/recycle-bin.endpoints'
import * as sql from '@trellis/contract/sql/sql.endpoints'
import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import * as scheduled from '@trellis/contract/worksheets/scheduled.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { type Writer, createWriter } from '../../testing/worksheets.ts'

type Ids = Record<'file' | 'folder' | 'commit' | 'draft' | 'job' | 'deletion' | 'project', string>
interface Place {
  readonly workspace: ReadyWorkspace
  readonly writer: Writer
  readonly ids: Ids
}

let app: TestApp
let theirs: Place
let others: Place[]

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const account = await makeAccount(app)
  theirs = await makePlace(await makeReadyWorkspace(app, { account, address: 'first' }))
  others = [
    await makePlace(await makeReadyWorkspace(app, { account, address: 'second' })),
    await makePlace(await makeReadyWorkspace(app)),
  ]
})
afterAll(async () => {
  for (const { workspace } of [theirs, ...others]) await workspace.remove()
  await app.close()
})

async function makePlace(workspace: ReadyWorkspace): Promise<Place> {
  const { owner } = workspace.account
  const { tenant, database } = workspace
  const createdResponse = await owner.call(projects.createProject, { params: tenant, body: { name: 'Reports' } })
  const project = createdResponse.data.project_id
  const writer = createWriter(owner, tenant, project)
  const { data: folder } = await owner.call(projects.createFolder, {
    params: tenant,
    body: { project_id: project, name: 'Sales' },
  })
  const { data: file } = await writer.create('Revenue', 'select 1;\n', folder.folder_id)
  await writer.push('First')
  await writer.write(file.file_id, 'select 2;\n')
  // A conflicting save keeps the text as a draft version.
  await writer.update(file.file_id, { content: 'select 3;\n', version: file.version })
  const [draft] = await writer.versions(file.file_id)
  const [commit] = await writer.history(file.file_id)
  await workspace.sql('create table data.gone (id int)')
  const gone = { ...database, schema_name: 'data', table_name: 'gone' }
  const deletedResponse = await owner.call(explorer.deleteTable, { params: tenant, query: gone })
  const job = await owner.call(sql.executeSql, { params: tenant, body: { ...database, sql: 'select 1' } })
  return {
    workspace,
    writer,
    ids: {
      project,
      file: file.file_id,
      folder: folder.folder_id,
      commit: commit?.commit.commit_id ?? '',
      draft: String(draft?.draft_version_id),
      job: job.data.job_id,
      deletion: deletedResponse.data.deletion_code,
    },
  }
}

const NOBODY: Ids = {
  file: 'zzzzzzzzzzzz',
  folder: 'zzzzzzzzzzzz',
  commit: '0123456789012345678901234567890123456789',
  draft: '987654321',
  job: randomUUID(),
  deletion: '0123456789abcdef',
  project: 'zzzzzzzzzzzz',
}

type Call = [Endpoint, { params: object; body?: object; query?: object }]

/** In one's own project with ids of another. */
function callsInside({ workspace: { tenant, database }, ids: ownIds }: Place, ids: Ids): Call[] {
  const project_id = ownIds.project
  const inProject = { ...tenant, project_id }
  const file = { ...inProject, file_id: ids.file }
  const ref = { project_id, file_id: ids.file }
  const ownRef = { project_id, file_id: ownIds.file }
  return [
    [branches.getLiveFile, { params: file }],
    [branches.getUserFile, { params: file }],
    [branches.getUserFileDiff, { params: file }],
    [branches.getDraftVersion, { params: { ...file, draft_version_id: ids.draft } }],
    [branches.getDraftVersion, { params: { ...inProject, file_id: ownIds.file, draft_version_id: ids.draft } }],
    [branches.resolveConflict, { params: tenant, body: { ...ref, keep: 'mine' } }],
    [branches.getCommit, { params: { ...inProject, commit_id: ids.commit } }],
    [branches.getFileDiff, { params: { ...file, commit_id: ids.commit } }],
    [branches.getFileDiff, { params: { ...inProject, file_id: ownIds.file, commit_id: ids.commit } }],
    [branches.pushToLiveBranch, { params: tenant, body: { project_id, message: 'Mine', file_ids: [ids.file] } }],
    [
      scheduled.runAsDataflow,
      {
        params: tenant,
        body: { ...ref, dataflow: { name: 'Mine', folder_trellis_code: null }, block_name: 'Mine', table: null },
      },
    ],
    [projects.updateWorksheet, { params: tenant, body: { ...ref, name: 'Mine' } }],
    [projects.updateWorksheet, { params: tenant, body: { ...ownRef, folder_id: ids.folder } }],
    [projects.createWorksheet, { params: tenant, body: { project_id, name: 'Mine', folder_id: ids.folder } }],
    [projects.deleteWorksheet, { params: tenant, query: ref }],
    [projects.restoreWorksheet, { params: tenant, body: { ...ref, commit_id: ids.commit } }],
    [projects.restoreWorksheet, { params: tenant, body: { ...ownRef, commit_id: ids.commit } }],
    [projects.restoreWorksheet, { params: tenant, body: { ...ownRef, draft_version_id: Number(ids.draft) } }],
    [projects.discardChanges, { params: tenant, body: ref }],
    [sql.executeSql, { params: tenant, body: { ...database, sql: 'select 1', file_id: ids.file } }],
    [projects.createFolder, { params: tenant, body: { project_id, name: 'Mine', parent_id: ids.folder } }],
    [projects.updateFolder, { params: tenant, body: { project_id, folder_id: ids.folder, name: 'Mine' } }],
    [projects.deleteFolder, { params: tenant, query: { project_id, folder_id: ids.folder } }],
  ]
}

function callsBeside({ workspace: { tenant, database, params } }: Place, ids: Ids): Call[] {
  const job = { ...tenant, job_id: ids.job }
  const deletion = { ...tenant, deletion_code: ids.deletion }
  return [
    [projects.getProject, { params: { ...tenant, project_id: ids.project } }],
    [projects.getBothTrees, { params: { ...tenant, project_id: ids.project } }],
    [projects.listFolders, { params: { ...tenant, project_id: ids.project } }],
    [scheduled.getPushPlan, { params: { ...tenant, project_id: ids.project } }],
    [scheduled.listWorksheetBlocks, { params: { ...tenant, project_id: ids.project, file_id: ids.file } }],
    [branches.getLiveHead, { params: { ...tenant, project_id: ids.project } }],
    [branches.listDeletedFiles, { params: { ...tenant, project_id: ids.project } }],
    [projects.updateProject, { params: tenant, body: { project_id: ids.project, name: 'Mine' } }],
    [sql.getSqlJob, { params: job }],
    [sql.followSqlJob, { params: job }],
    [sql.getResultPage, { params: { ...job, statement: '0' } }],
    [sql.getResultCell, { params: { ...job, statement: '0', row: '0', column: '0' } }],
    [sql.exportResults, { params: { ...params, job_id: ids.job } }],
    [sql.cancelSqlJob, { params: job }],
    [sql.keepSqlJobRunning, { params: job }],
    [bin.restoreDeletion, { params: deletion, body: {} }],
    [bin.purgeDeletion, { params: deletion }],
    [sql.executeSql, { params: tenant, body: { ...database, sql: 'select 1', integration_trellis_code: 'zzzz-db' } }],
  ]
}

/** Without per-response ids. */
const shown = ({ status, text }: { status: number; text: string }) => [status, text.replaceAll(/"id":"[^"]*"/g, '"id"')]

test.each([
  ['another workspace of the account', 0],
  ['another account', 1],
])('worksheets, queries and deletions answer in %s like those of nobody', async (_, at) => {
  const other = others[at] as Place
  const send = ([endpoint, input]: Call) =>
    other.writer.client.call(endpoint, input as Parameters<typeof other.writer.client.call>[1])
  const foreign = [...callsInside(other, theirs.ids), ...callsBeside(other, theirs.ids)]
  const missingCalls = [...callsInside(other, NOBODY), ...callsBeside(other, NOBODY)]
  for (const [index, call] of foreign.entries()) {
    const answer = shown(await send(call))
    expect(answer, call[0].id).toEqual(shown(await send(missingCalls[index] as Call)))
    expect(answer[0], call[0].id).toBe(call[0].id === 'pushToLiveBranch' ? 409 : 404)
  }
})

test('a job of another workspace can not be started again under its id', async () => {
  for (const { workspace, writer } of others) {
    const body = { ...workspace.database, sql: 'select 2', job_id: theirs.ids.job }
    expect((await writer.client.call(sql.executeSql, { params: workspace.tenant, body })).status).toBe(404)
  }
})

test('cursors that name things of others say nothing about them', async () => {
  for (const { workspace, writer } of others) {
    const { client, params } = writer
    const history = (before: string) => client.call(branches.listProjectHistory, { params, query: { before } })
    expect(shown(await history(theirs.ids.commit))).toEqual(shown(await history(NOBODY.commit)))
    const queries = (before: string) =>
      client.call(sql.listQueryHistory, { params: workspace.tenant, query: { before, of: 'workspace' } })
    expect(shown(await queries(theirs.ids.job))).toEqual(shown(await queries(NOBODY.job)))
  }
})

test('what was tried changed nothing', async () => {
  const { writer, ids } = theirs
  expect((await writer.live(ids.file)).data.content).toBe('select 1;\n')
  expect((await writer.read(ids.file)).data).toMatchObject({ content: 'select 2;\n', name: 'Revenue.sql' })
  const listedResponse = await writer.client.call(bin.listDeletions, { params: theirs.workspace.tenant })
  expect(listedResponse.data.items.map(({ deletion_code }) => deletion_code)).toEqual([ids.deletion])
})
