import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, VIEW, joinNewPerson, makeWorkspaceRow, newPerson } from '../../../testing/accounts.ts'
import { type OutsideDatabase, connectOutside, makeOutsideDatabase } from '../../../testing/sources/outside-database.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

/** In every row; must never reach someone without permission. */
const SECRET = 'planted-secret'
const ROLES = [
  'account owner',
  'account admin',
  'workspace admin',
  'editor',
  'viewer',
  'other workspace',
  'stranger',
] as const
type Role = (typeof ROLES)[number]

/** Viewers may not read connected databases. */
const READS: Record<'own' | 'connected', ReadonlySet<Role>> = {
  own: new Set<Role>(['account owner', 'account admin', 'workspace admin', 'editor', 'viewer']),
  connected: new Set<Role>(['account owner', 'account admin', 'workspace admin', 'editor']),
}

let app: TestApp
let workspace: ReadyWorkspace
let outside: OutsideDatabase
const people = {} as Record<Role, TestClient>
const codes = { own: '', connected: '' }
let project: string
let tables = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const { account } = workspace
  const here = workspace.integrationCode.replace(/-db$/, '')
  const there = (await makeWorkspaceRow(app, account, 'elsewhere')).code
  const join = async (workspace_trellis_code: string, workspace_role_id: number) => {
    const workspaces = [{ workspace_trellis_code, workspace_role_id }]
    return (await joinNewPerson(app, account, { role: VIEW, workspaces })).client
  }
  people['account owner'] = account.owner
  people['account admin'] = (await joinNewPerson(app, account, { role: ADMIN })).client
  people['workspace admin'] = await join(here, 3)
  people['editor'] = await join(here, 2)
  people['viewer'] = await join(here, 1)
  people['other workspace'] = await join(there, 3)
  people['stranger'] = (await newPerson(app)).client
  outside = await makeOutsideDatabase()
  codes.own = workspace.integrationCode
  codes.connected = await connectOutside(account.owner, workspace.tenant, outside)
  const createdResponse = await account.owner.call(projects.createAiProject, {
    params: workspace.tenant,
    body: { name: 'Matrix' },
  })
  project = createdResponse.data.project_trellis_code
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await outside.drop()
})

/** One table per case, so that cached rows of another case never match. */
async function makeSource(kind: keyof typeof codes) {
  const { owner } = workspace.account
  const name = `secrets_${(tables += 1)}`
  const sql = (text: string) => (kind === 'own' ? workspace.sql(text) : outside.sql(text))
  const schema = kind === 'own' ? 'data' : 'public'
  await sql(`create table ${schema}.${name} as select '${SECRET}' as secret`)
  if (kind === 'connected') await sql(`grant select on public.${name} to public`)
  await owner.call(projects.updateAiProjectTables, {
    params: { ...workspace.tenant, project_trellis_code: project, integration_trellis_code: codes[kind] },
    body: { tables: [{ schema_name: schema, table_name: name }] },
  })
  const query = `select secret from ${schema}.${name}`
  const origin = { kind: 'query' as const, integration_trellis_code: codes[kind], sql: query }
  const body = { project_trellis_code: project, name, origin }
  const createdResponse = await owner.call(calls.createSpark, { params: workspace.tenant, body })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  const place = { ...workspace.tenant, spark_trellis_code: createdResponse.data.spark_trellis_code }
  const version = await owner.call(calls.getLatestSparkVersion, { params: place })
  const based_key = version.data.based_keys['result'] ?? ''
  const read = async (client: TestClient, fresh = false) =>
    await client.call(calls.getSparkData, {
      params: { ...workspace.tenant, based_key },
      query: { fresh: String(fresh) as never },
    })
  return { read, breakIt: () => sql(`alter table ${schema}.${name} rename column secret to other`) }
}

type Source = Awaited<ReturnType<typeof makeSource>>

async function expectRights(kind: keyof typeof codes, role: Role, { read }: Source): Promise<void> {
  for (const isFresh of [false, true]) {
    const answer = await read(people[role], isFresh)
    if (READS[kind].has(role)) expect([role, answer.status, answer.data.rows]).toEqual([role, 200, [[SECRET]]])
    else expect([role, [403, 404].includes(answer.status), answer.text.includes(SECRET)]).toEqual([role, true, false])
  }
}

test('a viewer of a connected database is told why there are no rows', async () => {
  const { read } = await makeSource('connected')
  const answer = await read(people['viewer'])
  expect(answer.status).toBe(403)
  expect(answer.text).toContain('reads a database that you have no access to')
})

describe.each(['own', 'connected'] as const)('rows of the %s database, by role', (kind) => {
  test('when nothing is kept', async () => {
    for (const role of ROLES) await expectRights(kind, role, await makeSource(kind))
  })

  test('when another role has filled the cache, and when what it holds is stale', async () => {
    const source = await makeSource(kind)
    const filledResponse = await source.read(people['account owner'])
    expect(filledResponse.data.rows, filledResponse.text).toEqual([[SECRET]])
    for (const role of ROLES) await expectRights(kind, role, source)
    await source.breakIt()
    for (const role of ROLES) await expectRights(kind, role, source)
    expect((await source.read(people['account owner'])).data.stale_since).not.toBeNull()
  })
})
