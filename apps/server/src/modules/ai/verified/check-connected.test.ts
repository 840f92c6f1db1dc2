import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OutsideDatabase, connectOutside, makeOutsideDatabase } from '../../../testing/sources/outside-database.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { handleCheckConnectedVerified, handleCheckVerified } from './check-verified.handler.ts'

let app: TestApp
let workspace: ReadyWorkspace
let outside: OutsideDatabase
let integration: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  outside = await makeOutsideDatabase()
  await outside.sql(`
    create table public.trips (id int primary key, km numeric);
    insert into public.trips select n, n * 10 from generate_series(1, 5) n;
    grant select on all tables in schema public to public`)
  integration = await connectOutside(workspace.account.owner, workspace.tenant, outside)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await outside.drop()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

async function addQuestion(name: string): Promise<string> {
  const { owner } = workspace.account
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name } })
  const { project_trellis_code } = createdResponse.data
  const place = { project_trellis_code, integration_trellis_code: integration }
  const tables = [{ schema_name: 'public', table_name: 'trips' }]
  const chosen = await owner.call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  expect(chosen.status, chosen.text).toBe(200)
  const body = {
    ...place,
    kind: 'verified_question' as const,
    name: 'How far did we drive',
    sql: 'select sum(km) from public.trips',
  }
  const question = await owner.call(projects.createBusinessContext, { params: params(), body })
  expect(question.status, question.text).toBe(200)
  return question.data.context_trellis_code
}

test('a verified question over a connected database says so when a column it needs is gone, until it is back', async () => {
  const context_trellis_code = await addQuestion('Fleet')
  const signal = new AbortController().signal
  const findProblem = async () => {
    const place = params({ context_trellis_code })
    return (await workspace.account.owner.call(projects.getBusinessContext, { params: place })).data.problem
  }
  const check = async () => {
    await handleCheckConnectedVerified(app.ctx, {}, { signal })
    return await findProblem()
  }
  expect(await check()).toBeNull()
  await outside.sql('alter table public.trips rename column km to miles')
  await handleCheckVerified(app.ctx, {}, { signal })
  expect(await findProblem()).toBeNull()
  expect(await check()).toContain('km')
  await outside.sql('alter table public.trips rename column miles to km')
  expect(await check()).toBeNull()
  const { rows } = await app.database.pool.query(
    "select 1 from audit_lines where action = 'integrationSeen' and profile_id = 0",
  )
  expect(rows).toEqual([])
})

test('a connected database that is away leaves what was found as it is', async () => {
  const context_trellis_code = await addQuestion('Trips')
  await outside.sql(`drop table public.trips; alter role ${String(outside.values.connection['user'])} nologin`)
  await handleCheckConnectedVerified(app.ctx, {}, { signal: new AbortController().signal })
  const place = params({ context_trellis_code })
  const { data } = await workspace.account.owner.call(projects.getBusinessContext, { params: place })
  expect(data.problem).toBeNull()
})
