import { randomUUID } from 'node:crypto'
import * as access from '@trellis/contract/database-admin/profiles.endpoints'
import { endDatabaseSession } from '@trellis/contract/database-admin/firewall.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import * as rows from '@trellis/contract/explorer/rows.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as canvas from '@trellis/contract/integrations/canvas-sources.endpoints'
import * as integrations from '@trellis/contract/integrations/integrations.endpoints'
import * as files from '@trellis/contract/uploads/uploads.endpoints'
import { withSession } from '@trellis/workspace-db/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, sendPart, testUploads } from '../../testing/uploads.ts'

let app: TestApp
let first: TestUploads
let others: TestUploads[]
let theirs: Record<
  'file' | 'job' | 'export' | 'label' | 'role' | 'group' | 'external' | 'pid' | 'load' | 'connection',
  string
>
let held: Promise<unknown>
const released = Promise.withResolvers<void>()

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const account = await makeAccount(app)
  first = await testUploads(app, account)
  others = [await testUploads(app, account), await testUploads(app, await makeAccount(app))]
  for (const { sql } of others) await sql('create table data.shop (id int)')
  theirs = await makeEverything()
})
afterAll(async () => {
  released.resolve()
  // Anyone able to terminate the session would have.
  await held
  await app.close()
})

async function makeEverything(): Promise<typeof theirs> {
  const { client, params, code } = first
  const of = { integration_trellis_code: code }
  const file = await first.send('shop.csv', 'id\n1\n')
  const job = await first.preProcess(file)
  await first.update(file, { table_name: 'shop' })
  const { load } = await first.deliver(file)
  const table = { ...params, ...of, schema_name: 'data', table_name: 'shop' }
  const createdResponse = await client.call(rows.exportTable, { params: table, body: { format: 'csv' } })
  const label = await client.call(labels.createLabel, { params, body: { name: 'Mine', color: 'teal' } })
  const grants = [{ template: 'reader', schema_name: 'data' }]
  const role = await client.call(roles.createDatabaseRole, {
    params,
    body: { ...of, name: 'Mine', description: '', grants },
  })
  const role_trellis_codes = [role.data.role_trellis_code]
  const group = await client.call(roles.createDatabaseGroup, {
    params,
    body: { ...of, name: 'Mine', description: '', role_trellis_codes, profile_trellis_codes: [] },
  })
  const external = await client.call(access.createExternalProfile, {
    params,
    body: { ...of, name: 'Mine', description: '', role_trellis_codes, group_trellis_codes: [], expires_at: null },
  })
  const connection = await client.call(integrations.createIntegration, {
    params,
    body: { platform_trellis_code: 'sample_data', name: 'Mine', values: {} },
  })
  const database = await openWorkspaceDatabase(app.ctx, { workspaceId: first.workspaceId, integrationCode: code })
  const pid = await new Promise<number>((resolve) => {
    held = withSession(database.cluster, { ...database, role: 'rw' }, async (session) => {
      resolve(session.processId)
      await released.promise
      await session.query({ text: 'select 1' })
    })
  })
  return {
    file: file.file_id,
    job: job.job_id,
    export: createdResponse.data.job_id,
    label: String(label.data.id),
    role: role.data.role_trellis_code,
    group: group.data.group_trellis_code,
    external: external.data.profile.profile_trellis_code,
    pid: String(pid),
    load: load?.load_id ?? '',
    connection: connection.data.integration_trellis_code,
  }
}

const NOBODY: typeof theirs = {
  file: randomUUID(),
  job: randomUUID(),
  export: randomUUID(),
  label: '987654321',
  role: 'zzzzzzzzzzzz',
  group: 'zzzzzzzzzzzz',
  external: 'zzzzzzzzzzzz',
  pid: '987654',
  load: randomUUID(),
  connection: 'zzzzzzzzzzzz',
}

function callsWith(at: TestUploads, ids: typeof theirs): [Endpoint, { params: object; body?: object }][] {
  const of = { integration_trellis_code: at.code }
  const params = { ...at.params, ...of }
  const table = { ...of, schema_name: 'data', table_name: 'shop' }
  const file = { ...params, file_id: ids.file }
  const profile = { ...params, profile_trellis_code: ids.external }
  const texts = { name: 'New', description: '' }
  const codes = { role_trellis_codes: [], group_trellis_codes: [] }
  return [
    [files.finishUpload, { params: file }],
    [files.preProcessFile, { params, body: { file_id: ids.file } }],
    [files.updateFile, { params, body: { file_id: ids.file, table_name: 'mine' } }],
    [files.getDataModel, { params: { ...file, ...table } }],
    [files.validateFile, { params, body: { file_id: ids.file } }],
    [files.deliverData, { params, body: { file_id: ids.file } }],
    [files.undoLoad, { params, body: { ...table, load_id: ids.load } }],
    [files.getFileMetadata, { params: { ...params, file_id_table_id: ids.file } }],
    [files.listBadRows, { params: file }],
    [files.downloadBadRows, { params: file }],
    [files.deleteFile, { params: file }],
    [files.getUploadJob, { params: { ...params, job_id: ids.job } }],
    [files.cancelUploadJob, { params: { ...params, job_id: ids.job } }],
    [rows.getExport, { params: { ...params, job_id: ids.export } }],
    [rows.downloadExport, { params: { ...params, job_id: ids.export } }],
    [rows.cancelExport, { params: { ...params, job_id: ids.export } }],
    [labels.updateLabel, { params, body: { id: Number(ids.label), name: 'New' } }],
    [labels.addLabelToTable, { params, body: { ...table, label_id: Number(ids.label) } }],
    [labels.setTableLabels, { params, body: { ...table, label_ids: [Number(ids.label)] } }],
    [labels.deleteLabel, { params, body: { id: Number(ids.label) } }],
    [roles.getDatabaseRole, { params: { ...params, role_trellis_code: ids.role } }],
    [roles.getDatabaseRoleByCode, { params: { ...params, role_trellis_code: ids.role } }],
    [
      roles.updateDatabaseRole,
      {
        params,
        body: { ...of, ...texts, role_trellis_code: ids.role, grants: [{ template: 'reader', schema_name: 'data' }] },
      },
    ],
    [roles.deleteDatabaseRole, { params: { ...params, role_trellis_code: ids.role } }],
    [roles.getDatabaseGroup, { params: { ...params, group_trellis_code: ids.group } }],
    [roles.deleteDatabaseGroup, { params: { ...params, group_trellis_code: ids.group } }],
    [
      roles.createDatabaseGroup,
      { params, body: { ...of, ...texts, role_trellis_codes: [ids.role], profile_trellis_codes: [] } },
    ],
    [access.getExternalProfile, { params: profile }],
    [
      access.updateExternalProfile,
      { params, body: { ...of, ...texts, ...codes, profile_trellis_code: ids.external, expires_at: null } },
    ],
    [access.rotateExternalProfile, { params, body: { ...of, profile_trellis_code: ids.external, overlap_minutes: 0 } }],
    [access.deleteExternalProfile, { params: profile }],
    [access.getDatabaseProfile, { params: profile }],
    [endDatabaseSession, { params: { ...params, pid: ids.pid } }],
    ...connectionCalls(at, ids.connection),
  ]
}

function connectionCalls(
  at: TestUploads,
  code: string,
): [Endpoint, { params: object; body?: object; query?: object }][] {
  const params = { ...at.params, integration_trellis_code: code, id: code }
  const manifest = {
    version: 1,
    base_url: 'https://api.example.com',
    inputs: [],
    auth: { type: 'none' },
    streams: [{ name: 'a', request: { path: '/' }, records: '' }],
  }
  return [
    [integrations.getIntegration, { params }],
    [integrations.updateIntegration, { params, body: { version: 1, name: 'New' } }],
    [integrations.linkIntegration, { params, body: { integration_trellis_code: code } }],
    [integrations.describeIntegration, { params }],
    [integrations.getPostgresSchema, { params }],
    [integrations.validateIntegration, { params }],
    [integrations.getValidationStatus, { params }],
    [integrations.listIntegrationOptions, { params, query: { options: 'streams' } }],
    [integrations.previewSource, { params, body: { values: {} } }],
    [
      integrations.tryRestSource,
      { params, body: { manifest, values: {}, stream: 'a', integration_trellis_code: code } },
    ],
    [canvas.getTransformationSchema, { params }],
    [canvas.getSourceFormas, { params }],
    [canvas.getDestinationFormas, { params }],
    [canvas.getSourceDataModel, { params, query: { subtask_name: 'orders' } }],
    [canvas.validateGaql, { params, body: { query: 'SELECT' } }],
    [integrations.deleteIntegration, { params }],
  ]
}

/** Without per-response ids. */
const shown = ({ status, text }: { status: number; text: string }) => [status, text.replaceAll(/"id":"[^"]*"/g, '"id"')]

test.each([
  ['another workspace of the account', 0],
  ['another account', 1],
])('ids of a workspace answer in %s like ids of nobody', async (_, at) => {
  const other = others[at] as TestUploads
  const random = callsWith(other, NOBODY)
  for (const [index, [endpoint, input]] of callsWith(other, theirs).entries()) {
    const send = (given: object) => other.client.call(endpoint, given as Parameters<typeof other.client.call>[1])
    const foreign = shown(await send(input))
    expect(foreign, endpoint.id).toEqual(shown(await send(random[index]?.[1] ?? {})))
    expect(foreign[0], endpoint.id).toBe(404)
  }
  const part = (file_id: string) => sendPart(other.client, { ...other.params, file_id, part: 1 }, Buffer.from('x'))
  expect(shown(await part(theirs.file))).toEqual(shown(await part(NOBODY.file)))
})
