import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import * as documents from '@trellis/contract/ai/documents.endpoints'
import type { Document } from '@trellis/contract/ai/documents.schemas'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveAnswers } from '../answer/live-answers.ts'
import { readDocumentText } from './extract/extract-text.ts'
import { bombPdf, simplePdf, createZip } from './testing/document-files.ts'

const VIEWER = 1

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let viewer: TestClient
let project: string

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: VIEWER }],
  })
  viewer = joined.client
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Rules' } })
  project = createdResponse.data.project_trellis_code
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

async function send(name: string, content: Uint8Array | string, { client = owner, path = '' } = {}) {
  const form = new FormData()
  form.append('file', new Blob([content as never]), name)
  const tenant = workspace.tenant as Record<string, string>
  const base = toEndpointUrl(documents.uploadDocument).replaceAll(/:(\w+)/g, (_, key: string) => tenant[key] ?? '')
  const url = `${base}${path || `/project/${project}`}`
  const answer = await client.raw(url, { method: 'POST', body: form })
  return { ...answer, data: answer.data as Document }
}

async function add(name: string, content: Uint8Array | string, more: Parameters<typeof send>[2] = {}) {
  const sent = await send(name, content, more)
  expect(sent.status, sent.text).toBe(200)
  const { task_id, file_id } = sent.data
  const find = async () => (await owner.call(documents.getUploadTask, { params: params({ task_id }) })).data
  await expect.poll(async () => (await find()).status, { timeout: 120_000 }).not.toBe('in_progress')
  return { task: await find(), file_id }
}

async function ask(
  text: string,
  { client = owner, conversation }: { client?: TestClient; conversation?: string } = {},
) {
  const begun = conversation ?? (await begin(client))
  const place = { conversation_trellis_code: begun }
  const sentResponse = await client.call(calls.sendMessage, { params: params(place), body: { text } })
  const { message_trellis_code } = sentResponse.data.answer
  const find = async () => {
    const at = { ...place, message_trellis_code, message_sha: '0' }
    return (await client.call(calls.getMessageUpdates, { params: params(at) })).data.message
  }
  await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe('completed')
  const part = ((await find())?.parts ?? []).find(
    (candidate): candidate is Extract<MessagePart, { kind: 'documents' }> => candidate.kind === 'documents',
  )
  return part?.passages ?? []
}

async function begin(client: TestClient): Promise<string> {
  const createdResponse = await client.call(calls.createConversation, {
    params: params(),
    body: { project_trellis_code: project },
  })
  return createdResponse.data.conversation_trellis_code
}

describe('a document', () => {
  test('in Markdown is cited with its heading', async () => {
    const text = '# Travel\n\nTrains only.\n\n# Refund policy\n\nCustomers may return parcels within 45 days.\n'
    const { task } = await add('handbook.md', text)
    expect(task.status).toBe('completed')
    const [passage] = await ask('within how many days may customers return parcels?')
    expect(passage).toMatchObject({ file_name: 'handbook.md', heading: 'Refund policy', page: null })
    expect(passage?.text).toContain('45 days')
  })

  test('in PDF is cited with its page', async () => {
    const { task, file_id } = await add('pumps.pdf', simplePdf(['Front matter', 'The zeppelin pump needs glycerine']))
    expect(task).toMatchObject({ status: 'completed', problem: null })
    const [passage] = await ask('what does the zeppelin pump need')
    expect(passage).toMatchObject({ file_id, page: 2 })
    expect((await owner.call(documents.getDocument, { params: params({ file_id }) })).data.page_count).toBe(2)
  })

  test('of Word is cited with its heading', async () => {
    const paragraph = (text: string, style = '') =>
      `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`
    const xml = `<w:document xmlns:w="x"><w:body>${paragraph('Warranty', 'Heading1')}${paragraph('Quartz clocks: nine years')}</w:body></w:document>`
    await add('terms.docx', await createZip({ 'word/document.xml': xml }))
    const [passage] = await ask('warranty of quartz clocks')
    expect(passage).toMatchObject({ file_name: 'terms.docx', heading: 'Warranty', text: 'Quartz clocks: nine years' })
  })

  test('in plain text is cited', async () => {
    const { task, file_id } = await add('lighthouse.txt', 'The lighthouse of Oriel burns whale oil after dusk.\n')
    expect(task).toMatchObject({ status: 'completed', problem: null })
    const [passage] = await ask('what does the lighthouse of Oriel burn')
    expect(passage).toMatchObject({ file_id, file_name: 'lighthouse.txt', heading: null, page: null })
    expect(passage?.text).toContain('whale oil')
  })

  test('in CSV is cited by its rows with the names of the columns', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `#${at},"Depot ${at}, north",${at * 3}`)
    const text = ['berth,keeper,tonnage', ...rows, '#x,Marzipan quay,77', ''].join('\r\n')
    const { task, file_id } = await add('berths.csv', text)
    expect(task).toMatchObject({ status: 'completed', problem: null })
    const [passage] = await ask('what is the tonnage of the marzipan quay')
    expect(passage).toMatchObject({ file_id, file_name: 'berths.csv', heading: 'berth,keeper,tonnage' })
    expect(passage?.text).toContain('#x,Marzipan quay,77')
  })

  test('of a conversation is found there only', async () => {
    const conversation = await begin(viewer)
    const path = `/conversation/${conversation}`
    const sent = await send('note.txt', 'The vault of Ravenna opens at dawn', { client: viewer, path })
    expect(sent.status, sent.text).toBe(200)
    const { task_id } = sent.data
    await expect
      .poll(async () => (await viewer.call(documents.getUploadTask, { params: params({ task_id }) })).data.status)
      .toBe('completed')
    expect(await ask('when does the vault of Ravenna open', { client: viewer, conversation })).toHaveLength(1)
    expect(await ask('when does the vault of Ravenna open', { client: viewer })).toEqual([])
    expect((await owner.call(documents.getUploadTask, { params: params({ task_id }) })).status).toBe(404)
  })

  test('attached just before the question is read first and quoted', async () => {
    const conversation = await begin(viewer)
    const path = `/conversation/${conversation}`
    expect((await send('late.txt', 'The tollgate of Umbria costs two ducats', { client: viewer, path })).status).toBe(
      200,
    )
    const [passage] = await ask('what does the tollgate of Umbria cost', { client: viewer, conversation })
    expect(passage?.file_name).toBe('late.txt')
    const place = { conversation_trellis_code: conversation }
    const list = async (client: TestClient) =>
      await client.call(documents.listConversationDocuments, { params: params(place) })
    expect((await list(viewer)).data.items).toMatchObject([{ name: 'late.txt', status: 'completed' }])
    expect((await list(owner)).status).toBe(404)
  })

  test('that was deleted is found no more, and stays in the list of deleted ones', async () => {
    const body = { name: 'Old rule', text: 'Xylophones are shipped by barge', project_trellis_code: project }
    const { file_id, task_id } = (await owner.call(documents.uploadText, { params: params(), body })).data
    await expect
      .poll(async () => (await owner.call(documents.getUploadTask, { params: params({ task_id }) })).data.status)
      .toBe('completed')
    expect(await ask('how are xylophones shipped')).toHaveLength(1)
    expect((await viewer.call(documents.deleteDocument, { params: params({ file_id }) })).status).toBe(404)
    expect((await owner.call(documents.deleteDocument, { params: params({ file_id }) })).status).toBe(200)
    expect(await ask('how are xylophones shipped')).toEqual([])
    const place = { params: params({ project_trellis_code: project }) }
    const names = async (query: Record<string, unknown>) =>
      (await owner.call(documents.listProjectUploads, { ...place, query })).data.files.map(({ name }) => name)
    expect(await names({})).not.toContain('Old rule')
    expect(await names({ include_deleted: 'true' })).toContain('Old rule')
  })

  test('is added to a project by those who may change it', async () => {
    expect((await send('a.txt', 'text', { client: viewer })).status).toBe(403)
    const foreign = await owner.raw(
      toEndpointUrl(documents.uploadProjectDocument).replaceAll(
        /:(\w+)/g,
        (_, key: string) => (workspace.tenant as Record<string, string>)[key] ?? 'zzzz',
      ),
      { method: 'POST', body: new FormData() },
    )
    expect(foreign.status).toBe(404)
  })
})

describe('a hostile file', () => {
  test.each([
    ['a zip bomb', async () => await createZip({ 'word/document.xml': ' '.repeat(80_000_000) })],
    ['a zip that is no Word file', async () => await createZip({ 'a.txt': 'a' })],
    ['a cut PDF', async () => simplePdf(['One']).subarray(0, 120)],
    ['a program', async () => Buffer.from('7f454c46020101000000', 'hex')],
    [
      'entities that grow',
      async () => await createZip({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>' }),
    ],
  ])('%s fails with a sentence', async (_, make) => {
    const { task } = await add('hostile.docx', await make())
    expect(task.status).toBe('failed')
    expect(task.problem).toMatch(/^[A-Z].+\.$/)
    expect(task.can_retry).toBe(true)
  })

  test('a PDF bomb is stopped', async () => {
    const request = { bytes: bombPdf(100_000_000), maxCharacters: 1000 }
    const reading = readDocumentText(request, { signal: new AbortController().signal, timeoutMs: 3000 })
    await expect(reading).rejects.toThrow('too long or too much memory')
  })

  test('too large is refused', async () => {
    expect((await send('big.txt', 'x'.repeat(20 * 1024 * 1024 + 1))).status).toBe(413)
  })
})
