import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import { removeMember } from '@trellis/contract/members/members.endpoints'
import {
  listNotifications,
  readNotifications,
  updateDigest,
} from '@trellis/contract/notifications/notifications.endpoints'
import * as calls from '@trellis/contract/sparks/spark-comments.endpoints'
import { COMMENTS_PAGE, MAX_COMMENT_LENGTH, MAX_SPARK_COMMENTS } from '@trellis/contract/sparks/spark-comments.schemas'
import { createSpark, deleteSpark, getSpark } from '@trellis/contract/sparks/sparks.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { VIEW, joinNewPerson, makeWorkspaceRow, newPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { handleSendDigests } from '../../notifications/send-digests.handler.ts'

const WORKSPACE_VIEWER = 1
const WORKSPACE_EDITOR = 2

interface Person {
  readonly id: number
  readonly code: string
  readonly client: TestClient
}
type Place = ReadyWorkspace['tenant'] & { spark_trellis_code: string }

let app: TestApp
let workspace: ReadyWorkspace
let owner: Person
let viewer: Person
let editor: Person
let outsider: Person
let stranger: Person
let project: string
let place: Place

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const { account } = workspace
  owner = await toPerson(account.ownerId, account.owner)
  viewer = await join(WORKSPACE_VIEWER)
  editor = await join(WORKSPACE_EDITOR)
  const elsewhere = { workspace_trellis_code: (await makeWorkspaceRow(app, account, 'elsewhere')).code }
  const other = await joinNewPerson(app, account, {
    role: VIEW,
    workspaces: [{ ...elsewhere, workspace_role_id: WORKSPACE_EDITOR }],
  })
  outsider = await toPerson(other.id, other.client)
  const nobody = await newPerson(app)
  stranger = await toPerson(nobody.id, nobody.client)
  const createdResponse = await owner.client.call(projects.createAiProject, {
    params: workspace.tenant,
    body: { name: 'Sales' },
  })
  project = createdResponse.data.project_trellis_code
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  await app.database.pool.query('delete from notifications')
  await app.database.pool.query('delete from spark_comments')
  place = await makeSpark()
})

async function toPerson(id: number, client: TestClient): Promise<Person> {
  const { rows } = await app.database.pool.query<{ code: string }>(
    'select trellis_user_code as code from profiles where id = $1',
    [id],
  )
  return { id, client, code: rows[0]?.code ?? '' }
}

async function join(workspace_role_id: number): Promise<Person> {
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const workspaces = [{ workspace_trellis_code, workspace_role_id }]
  const { id, client } = await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })
  return await toPerson(id, client)
}

async function makeSpark(name = 'Orders'): Promise<Place> {
  const content = {
    sources: [],
    parameters: [],
    body: { kind: 'blocks', blocks: [{ kind: 'heading', text: 'Hello' }] },
  }
  const body = { project_trellis_code: project, name, origin: { kind: 'content', content } }
  const createdResponse = await owner.client.call(createSpark, { params: workspace.tenant, body: body as never })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return { ...workspace.tenant, spark_trellis_code: createdResponse.data.spark_trellis_code }
}

async function write(person: Person, text: string, mentions: readonly Person[] = []) {
  const createdResponse = await person.client.call(calls.createSparkComment, {
    params: place,
    body: { text, mentions: mentions.map(({ code }) => code) },
  })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return {
    ...createdResponse.data,
    params: { ...place, spark_comment_trellis_code: createdResponse.data.spark_comment_trellis_code },
  }
}

const list = async (person: Person, query: Record<string, unknown> = {}) =>
  (await person.client.call(calls.listSparkComments, { params: place, query })).data

const bell = async ({ client }: Person) => (await client.call(listNotifications)).data.items

test('whoever sees a spark comments on it, as plain text, newest first, and the spark counts what is open', async () => {
  await write(viewer, '  <b>Why</b> did it fall?\nSince Monday. ')
  const second = await write(owner, 'A holiday.')
  const { comments } = await list(editor)
  expect(comments).toMatchObject([
    { text: 'A holiday.', is_mine: false, can_delete: false, can_resolve: true },
    { text: '<b>Why</b> did it fall?\nSince Monday.', author: { trellis_user_code: viewer.code, is_member: true } },
  ])
  const open = async () => (await viewer.client.call(getSpark, { params: place })).data.open_comments
  expect(await open()).toBe(2)
  await owner.client.call(calls.resolveSparkComment, { params: second.params, body: { is_resolved: true } })
  expect(await open()).toBe(1)
})

test('a mention is under the bell once, with what the comment says now, and never of oneself', async () => {
  const { params } = await write(viewer, 'Look, @Owner and me', [owner, viewer, owner])
  expect(await bell(viewer)).toEqual([])
  expect(await bell(owner)).toMatchObject([
    {
      kind: 'mention',
      title: expect.stringContaining('mentioned you in "Orders"') as string,
      detail: 'Look, @Owner and me',
      path: `/${place.account_trellis_code}/${place.workspace_address}/sparks/${place.spark_trellis_code}?comments=1`,
      count: 1,
    },
  ])
  const body = { text: 'Look again, @Owner @Editor', mentions: [owner.code, editor.code] }
  const { data } = await viewer.client.call(calls.updateSparkComment, { params, body })
  expect(data).toMatchObject({ text: body.text, edited_at: expect.any(String) as string })
  expect(data.mentions.map((mention) => mention.trellis_user_code).toSorted()).toEqual(body.mentions.toSorted())
  expect(await bell(owner)).toMatchObject([{ detail: body.text, count: 1 }])
  expect(await bell(editor)).toMatchObject([{ kind: 'mention', count: 1 }])
})

test('a mention that is edited away takes its notification along, read or not; one that comes back is new', async () => {
  const { params } = await write(viewer, 'Look, @Owner and @Editor', [owner, editor])
  const other = await write(viewer, 'And here, @Owner', [owner])
  await editor.client.call(readNotifications, { body: {} })
  const change = async (text: string, people: readonly Person[]) => {
    const body = { text, mentions: people.map(({ code }) => code) }
    expect((await viewer.client.call(calls.updateSparkComment, { params, body })).status).toBe(200)
  }
  await change('Look, @Editor', [editor])
  expect(await bell(owner)).toMatchObject([{ detail: other.text }])
  expect(await bell(editor)).toMatchObject([{ is_read: true }])
  await change('Never mind', [])
  expect(await bell(editor)).toEqual([])
  await change('Look after all, @Editor', [editor])
  expect(await bell(editor)).toMatchObject([{ is_read: false, count: 1 }])
  await viewer.client.call(calls.deleteSparkComment, { params })
  expect(await bell(editor)).toEqual([])
  expect(await bell(owner)).toHaveLength(1)
})

test('only people who may enter the workspace can be mentioned; others look like nobody', async () => {
  const send = async (code: string) => {
    const body = { text: 'Hello', mentions: [code] }
    return await viewer.client.call(calls.createSparkComment, { params: place, body })
  }
  const refusedResponses = [await send(outsider.code), await send(stranger.code), await send('nobody')]
  expect(refusedResponses.map(({ status }) => status)).toEqual([400, 400, 400])
  expect(new Set(refusedResponses.map(({ errors }) => errors[0]?.detail)).size).toBe(1)
  expect(await bell(outsider)).toEqual([])
  expect((await list(viewer)).comments).toEqual([])
})

test('a mention is mailed to those who chose a digest, and to nobody else', async () => {
  await app.database.pool.query('delete from mail_outbox')
  await viewer.client.call(updateDigest, { body: { digest: 'daily' } })
  await write(owner, 'Please look <script>alert(1)</script>', [viewer, editor])
  await handleSendDigests(app.ctx)
  const { rows } = await app.database.pool.query('select subject, text, html from mail_outbox')
  expect(rows).toMatchObject([{ subject: '1 unread notification' }])
  expect(rows[0].text).toContain('Please look')
  expect(rows[0].html).not.toContain('<script>alert')
})

test('a comment is changed by its author alone, resolved by them or a writer, deleted by them or an admin', async () => {
  const { params } = await write(editor, 'Mine')
  const change = (person: Person) => person.client.call(calls.updateSparkComment, { params, body: { text: 'Changed' } })
  const resolve = (person: Person, is_resolved: boolean) =>
    person.client.call(calls.resolveSparkComment, { params, body: { is_resolved } })
  const remove = (person: Person) => person.client.call(calls.deleteSparkComment, { params })
  expect([(await change(viewer)).status, (await change(owner)).status]).toEqual([403, 403])
  expect([(await resolve(viewer, true)).status, (await remove(viewer)).status]).toEqual([403, 403])
  expect((await resolve(owner, true)).data).toMatchObject({ resolved_at: expect.any(String) as string })
  const { data: again } = await resolve(editor, true)
  expect(again.resolved_by).toBe((await list(viewer, { state: 'resolved' })).comments[0]?.resolved_by)
  expect((await list(viewer, { state: 'open' })).comments).toEqual([])
  expect((await resolve(editor, false)).data).toMatchObject({ resolved_at: null, resolved_by: null })
  expect((await change(editor)).data.text).toBe('Changed')
  const { params: others } = await write(viewer, 'Of a viewer')
  const byEditor = await editor.client.call(calls.deleteSparkComment, { params: others })
  expect(byEditor.status).toBe(403)
  expect((await remove(owner)).status).toBe(200)
  expect((await remove(owner)).status).toBe(404)
})

test('a comment, its mentions and its notification go together, also with the spark', async () => {
  const { params } = await write(viewer, 'One', [owner])
  await viewer.client.call(calls.deleteSparkComment, { params })
  expect(await bell(owner)).toEqual([])
  await write(viewer, 'Two', [owner])
  expect(await bell(owner)).toHaveLength(1)
  await owner.client.call(deleteSpark, { params: place })
  expect(await bell(owner)).toEqual([])
  const { rows } = await app.database.pool.query('select from spark_comment_mentions')
  expect(rows).toEqual([])
})

test('somebody who was removed is shown as such, stays mentioned and hears nothing more', async () => {
  const leaver = await join(WORKSPACE_EDITOR)
  await write(leaver, 'I will be away')
  const { params } = await write(owner, 'Bye', [leaver])
  expect(await bell(leaver)).toHaveLength(1)
  const account = { account_trellis_code: workspace.account.code }
  const body = { ...account, granting_profile_id: owner.id, receiving_profile_id: leaver.id }
  expect((await owner.client.call(removeMember, { params: account, body })).status).toBe(200)
  expect(await bell(leaver)).toEqual([])
  expect((await list(viewer)).comments).toMatchObject([
    { text: 'Bye', mentions: [{ trellis_user_code: leaver.code, is_member: false }] },
    { text: 'I will be away', author: { trellis_user_code: leaver.code, is_member: false } },
  ])
  const kept = { text: 'Bye then', mentions: [leaver.code] }
  expect((await owner.client.call(calls.updateSparkComment, { params, body: kept })).status).toBe(200)
  const asked = { text: 'Still there?', mentions: [leaver.code] }
  expect((await owner.client.call(calls.createSparkComment, { params: place, body: asked })).status).toBe(400)
})

test('comments come in pages, and a page goes on where the last one ended', async () => {
  await app.database.pool.query(
    `insert into spark_comments (account_id, spark_id, trellis_code, profile_id, text)
     select account_id, id, 'page' || n, created_by, 'Comment ' || n from sparks, generate_series(1, $2::int) n
      where trellis_code = $1`,
    [place.spark_trellis_code, COMMENTS_PAGE + 5],
  )
  const first = await list(viewer)
  expect(first.comments).toHaveLength(COMMENTS_PAGE)
  await write(viewer, 'Meanwhile')
  const second = await list(viewer, { before: first.next_before })
  expect(second.comments.map(({ text }) => text)).toEqual([5, 4, 3, 2, 1].map((n) => `Comment ${n}`))
  expect(second.next_before).toBeNull()
})

test('empty, long and invisible texts, too many mentions and too many comments are refused', async () => {
  const send = async (body: object) =>
    (await viewer.client.call(calls.createSparkComment, { params: place, body: body as never })).errors?.[0]?.code
  expect(await send({ text: '   ' })).toBe('invalid_request')
  expect(await send({ text: 'x'.repeat(MAX_COMMENT_LENGTH + 1) })).toBe('invalid_request')
  expect(await send({ text: 'turned \u202e around' })).toBe('invalid_request')
  expect(await send({ text: 'all', mentions: Array.from({ length: 21 }, () => owner.code) })).toBe('invalid_request')
  await app.database.pool.query(
    `insert into spark_comments (account_id, spark_id, trellis_code, text)
     select account_id, id, 'many' || n, 'x' from sparks, generate_series(1, $2::int) n where trellis_code = $1`,
    [place.spark_trellis_code, MAX_SPARK_COMMENTS - 1],
  )
  const both = await Promise.all([send({ text: 'last' }), send({ text: 'one more' })])
  expect(both.toSorted()).toEqual(['limit_reached', undefined])
})
