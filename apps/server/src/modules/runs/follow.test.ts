import * as calls from '@trellis/contract/runs/runs.endpoints'
import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import type { DataflowEvent, LogEvent, TaskRun } from '@trellis/contract/runs/runs.schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestFlow, makeBlock, makeFlow } from '../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { sendEvents } from '../../http/send-events.ts'
import { startRunWorker } from './run-worker.service.ts'

let app: TestApp
let account: TestAccount
let flow: TestFlow
let tenant: { account_trellis_code: string; workspace_address: string }

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  tenant = { account_trellis_code: account.code, workspace_address: 'shop' }
  flow = await makeFlow(app, { accountId: account.id, workspaceId: workspace.id })
})
afterAll(async () => await app.close())

const buildUrl = (endpoint: Endpoint, params: Record<string, string>) =>
  app.url + toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')

async function open(endpoint: Endpoint, params: Record<string, string>, signal?: AbortSignal) {
  return await fetch(buildUrl(endpoint, { ...tenant, ...params }), {
    headers: { authorization: `Bearer ${account.owner.token}` },
    ...(signal && { signal }),
  })
}

async function* readEvents<T>(response: Response): AsyncGenerator<T> {
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes as Uint8Array).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6)) as T
  }
}

async function execute(code: string): Promise<TaskRun> {
  const answer = await account.owner.call(calls.executeBlock, {
    params: { ...tenant, task_block_trellis_code: code },
    body: {},
  })
  return answer.data
}

test('a dataflow is followed: open runs first, then every step; the canvas too', async () => {
  const block = await makeBlock(app, flow)
  const before = await execute(block.code)
  const response = await open(calls.followDataflow, { trellis_code: flow.code })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(response.headers.get('content-encoding')).toBeNull()
  const events = readEvents<DataflowEvent>(response)
  const next = async () => (await events.next()).value as DataflowEvent
  expect(await next()).toMatchObject({ type: 'run', run: { task_run_trellis_code: before.task_run_trellis_code } })
  await app.database.pool.query("update task_blocks set updated_at = now() + interval '1 second' where id = $1", [
    block.id,
  ])
  expect(await next()).toEqual({ type: 'canvas', by: null })
  const worker = startRunWorker({
    ctx: app.ctx,
    url: app.database.url,
    limits: app.config.runLimits,
    work: { Transformation: async ({ count }) => count({ rows_written: 5 }) },
  })
  for (;;) {
    const event = await next()
    if (event.type === 'run' && event.run.status === 'SUCCESS') {
      expect(event.run.counters.rows_written).toBe(5)
      break
    }
  }
  await worker.stop()
  await events.return(undefined)
  // A client that loaded the page just before the end.
  const late = readEvents<DataflowEvent>(await open(calls.followDataflow, { trellis_code: flow.code }))
  expect((await late.next()).value).toMatchObject({ type: 'run', run: { status: 'SUCCESS' } })
  await late.return(undefined)
})

test('a log is followed to its end', async () => {
  const block = await makeBlock(app, flow)
  const run = await execute(block.code)
  const response = await open(calls.followTaskRunLogs, { task_run_trellis_code: run.task_run_trellis_code })
  const worker = startRunWorker({
    ctx: app.ctx,
    url: app.database.url,
    limits: app.config.runLimits,
    work: {
      Transformation: async ({ log }) => {
        for (let line = 0; line < 1200; line += 1) log('INFO', `line ${line}`)
      },
    },
  })
  const seen: number[] = []
  const ends: LogEvent[] = []
  for await (const event of readEvents<LogEvent>(response)) {
    if (event.type === 'lines') seen.push(...event.lines.map(({ number }) => number))
    else ends.push(event)
  }
  expect(seen).toEqual(Array.from({ length: 1202 }, (_, at) => at + 1))
  expect(ends).toEqual([{ type: 'over', run_status: 'SUCCESS' }])
  await worker.stop()
})

test('what is not theirs is refused before anything is sent, and so are too many at once', async () => {
  expect((await open(calls.followDataflow, { trellis_code: 'nothing' })).status).toBe(404)
  const stop = new AbortController()
  const many = await Promise.all(
    Array.from({ length: 20 }, () => open(calls.followDataflow, { trellis_code: flow.code }, stop.signal)),
  )
  expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect((await open(calls.followDataflow, { trellis_code: flow.code })).status).toBe(429)
  stop.abort()
  await Promise.allSettled(many.map((response) => response.text()))
  const free = async (): Promise<Response> => {
    const response = await open(calls.followDataflow, { trellis_code: flow.code })
    return response.status === 200 ? response : await free()
  }
  await (await free()).body?.cancel()
})

test('a stream ends when the right to it does', async () => {
  const sent: string[] = []
  let checks = 0
  const reply = {
    header: () => reply,
    send: async (stream: AsyncIterable<Buffer>) => {
      for await (const part of stream) sent.push(part.toString())
    },
  }
  const stopping = new AbortController()
  await sendEvents(reply as never, {
    events: (async function* () {
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
      yield* []
    })(),
    shape: calls.followDataflow.response,
    check: async () => {
      checks += 1
      if (checks === 3) throw new Error('gone')
    },
    stop: () => stopping.abort(),
    stillHereMs: 1,
  })
  expect(sent).toEqual([': open\n\n', ': still here\n\n', ': still here\n\n'])
  expect(stopping.signal.aborted).toBe(true)
})

test('a stream that never rests ends too when the right to it does', async () => {
  const reply = {
    header: () => reply,
    send: async (stream: AsyncIterable<Buffer>) => {
      for await (const _part of stream);
    },
  }
  const stopping = new AbortController()
  await sendEvents(reply as never, {
    events: (async function* () {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        yield { type: 'canvas', by: null }
      }
    })(),
    shape: calls.followDataflow.response,
    check: async () => {
      throw new Error('gone')
    },
    stop: () => stopping.abort(),
    stillHereMs: 20,
  })
  expect(stopping.signal.aborted).toBe(true)
})
