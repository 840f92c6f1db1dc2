import { listAccounts, listDeleted, restoreDeleted } from '@trellis/contract/accounts/accounts.endpoints'
import {
  createWorkspace,
  deleteWorkspace,
  getProfileContext,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '@trellis/contract/workspaces/workspaces.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, VIEW, joinNewPerson, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleRemoveGoneWorkspaces } from './remove-gone.handler.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const create = (account: TestAccount, address: string, name = 'First') =>
  account.owner.call(createWorkspace, {
    params: { account_trellis_code: account.code },
    body: { name, workspace_address: address },
  })
const databases = async () => {
  const cluster = await app.ctx.ports.cluster.open()
  const { rows } = await cluster.admin.query<{ datname: string }>(
    "select datname from pg_database where datname like 'w\\_%'",
  )
  return rows.map((row) => row.datname)
}

async function createAndWait(account: TestAccount, address: string) {
  const createdResponse = await create(account, address)
  expect(createdResponse.status, createdResponse.text).toBe(200)
  for (let tries = 0; tries < 200; tries += 1) {
    const now = await account.owner.call(getWorkspace, {
      params: { account_trellis_code: account.code, id: createdResponse.data.id },
    })
    if (now.data.state === 'online') return now.data
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the workspace never came online')
}

test('creating one makes a database of its own; deleting ends access at once and can be undone', async () => {
  const account = await makeAccount(app)
  const params = { account_trellis_code: account.code }
  const workspace = await createAndWait(account, 'shop')
  const row = await app.database.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  expect(await databases()).toContain(`w_${row.database_key}`)
  expect(row.database_credentials).toMatch(/^v1\./)
  const inside = { ...params, workspace_address: 'shop' }
  expect((await account.owner.call(getProfileContext, { params: inside })).data.workspace.name).toBe('First')
  const renamedResponse = await account.owner.call(updateWorkspace, { params: inside, body: { name: 'Shop data' } })
  expect(renamedResponse.data).toMatchObject({ name: 'Shop data', workspace_address: 'shop' })

  expect((await account.owner.call(deleteWorkspace, { params, query: { workspace_address: 'shop' } })).status).toBe(200)
  expect((await account.owner.call(getProfileContext, { params: inside })).status).toBe(404)
  expect((await create(account, 'shop')).errors[0]?.code, 'the address waits for the undo').toBe('address_taken')
  const [deleted] = (await account.owner.call(listDeleted)).data
  expect(deleted).toMatchObject({ kind: 'workspace', name: 'Shop data' })
  expect(
    (await account.owner.call(restoreDeleted, { params: { kind: 'workspace', trellis_code: deleted?.trellis_code } }))
      .status,
  ).toBe(200)
  expect((await account.owner.call(getProfileContext, { params: inside })).status).toBe(200)

  await account.owner.call(deleteWorkspace, { params, query: { workspace_address: 'shop' } })
  await app.database.pool.query("update workspaces set deleted_at = now() - interval '8 days' where id = $1", [
    workspace.id,
  ])
  await handleRemoveGoneWorkspaces(app.ctx)
  expect(await databases()).not.toContain(`w_${row.database_key}`)
  expect((await account.owner.call(listDeleted)).data).toEqual([])
})

test('a basic plan has one workspace, however many are asked for at once', async () => {
  const account = await makeAccount(app, 'basic')
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => create(account, `w${index}`)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.find((answer) => answer.status !== 200)?.errors[0]).toMatchObject({
    code: 'limit_reached',
    detail: 'Workspace limit reached. Please upgrade your plan to create additional workspaces.',
  })
})

test.each([
  ['', 'Field required'],
  ['   ', 'Field required'],
  ['UPPER', 'lower-case'],
  ['with-dash', 'lower-case'],
  ['settings', 'used by the product'],
  ['x'.repeat(51), 'at most 50'],
])('the address "%s" is refused', async (address, text) => {
  const account = await makeAccount(app)
  const answer = await create(account, address)
  expect(answer.errors[0]).toMatchObject({ code: 'invalid_request', source: { pointer: '/workspace_address' } })
  expect(answer.errors[0]?.detail).toContain(text)
})

test('one idempotency key, one workspace', async () => {
  const account = await makeAccount(app)
  const send = () =>
    account.owner.call(createWorkspace, {
      params: { account_trellis_code: account.code },
      body: { name: 'Once', workspace_address: 'once' },
      headers: { 'idempotency-key': 'the-same' },
    })
  const answers = await Promise.all([send(), send(), send(), send(), send()])
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
})

test('a member with partial access sees only what was given', async () => {
  const account = await makeAccount(app)
  const given = await makeWorkspaceRow(app, account, 'given')
  const hidden = await makeWorkspaceRow(app, account, 'hidden')
  const member = await joinNewPerson(app, account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: given.code, workspace_role_id: 1 }],
  })
  const params = { account_trellis_code: account.code }
  expect((await member.client.call(listWorkspaces, { params })).data.map((workspace) => workspace.id)).toEqual([
    given.id,
  ])
  expect((await member.client.call(getWorkspace, { params: { ...params, id: hidden.id } })).status).toBe(404)
  expect(
    (await member.client.call(getWorkspace, { params: { ...params, id: 0 }, query: { workspace_address: 'given' } }))
      .data.id,
  ).toBe(given.id)
  const [account_] = (await member.client.call(listAccounts)).data
  expect(account_?.workspaces.map((workspace) => workspace.workspace_address)).toEqual(['given'])
})
