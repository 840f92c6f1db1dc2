import { type ModelEvent, type ModelFetch, ModelFault } from '@trellis/assistant/model/model-port'
import { openModel } from '@trellis/assistant/model/open-model'
import { probeModel } from '@trellis/assistant/model/probe-model'
import { toSafeMarkdown } from '@trellis/assistant/model/safe-markdown'
import { LOOP_LIMITS, runToolLoop } from '@trellis/assistant/model/tool-loop'
import { afterEach, describe, expect, test } from 'vitest'
import { createSafeHttp } from '../../../platform/safe-http/safe-http.ts'
import { type FakeModel, type FakeTurn, startFakeModel } from '../testing/fake-model.ts'
import { toModelFetch } from './model-settings.ts'

const PROTOCOLS = ['anthropic', 'openai'] as const
type Protocol = (typeof PROTOCOLS)[number]

const http = createSafeHttp({ allowPrivateHosts: false, allowList: ['127.0.0.1'] })
const fetch: ModelFetch = toModelFetch({ ports: { http, config: { modelIdleMs: 30_000 } } } as never)
let model: FakeModel | undefined
afterEach(async () => await model?.close())

async function open(protocol: Protocol, script: (at: number, body: string) => FakeTurn) {
  model = await startFakeModel(protocol, script)
  const settings = { protocol, baseUrl: model.baseUrl, model: 'test', apiKey: 'key-1' }
  return { settings, port: openModel(settings, fetch), fake: model }
}

const QUESTION = {
  system: 'Be brief.',
  messages: [{ role: 'user' as const, text: 'Hello' }],
  tools: [],
  maxOutputTokens: 100,
}
const never = () => new AbortController().signal

async function collect(events: AsyncGenerator<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe.each(PROTOCOLS)('%s', (protocol) => {
  test('streams text, tool calls and what was used', async () => {
    const calls = [
      { name: 'run_sql', arguments: '{"sql":"select 1"}' },
      { name: 'make_chart', arguments: '{}' },
    ]
    const { port, fake } = await open(protocol, () => ({ text: 'Let me look at it.', calls }))
    const events = await collect(port.stream(QUESTION, never()))
    const text = events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))
    expect(text.length).toBeGreaterThan(1)
    expect(text.join('')).toBe('Let me look at it.')
    expect(events.flatMap((event) => (event.kind === 'tool_call' ? [event.call] : []))).toMatchObject(calls)
    expect(events.at(-1)).toEqual({ kind: 'end', usage: { inputTokens: 11, outputTokens: 7 } })
    expect(fake.keys[0]).toContain('key-1')
  })

  test('runs tools until it answers, and tells it what they said', async () => {
    const { port, fake } = await open(protocol, (at) =>
      at === 0 ? { calls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] } : { text: 'It is 5.' },
    )
    const add = {
      name: 'add',
      description: 'Adds',
      parameters: { type: 'object' },
      run: async (input: Readonly<Record<string, unknown>>) => `sum=${Number(input['a']) + Number(input['b'])}`,
    }
    let text = ''
    const result = await runToolLoop(port, {
      system: 's',
      messages: QUESTION.messages,
      tools: [add],
      limits: LOOP_LIMITS,
      signal: never(),
      onText: (written) => (text = written),
      onUsage: () => undefined,
    })
    expect(result).toEqual({ end: 'answered', steps: 2, usage: { inputTokens: 22, outputTokens: 14 } })
    expect(text).toBe('It is 5.')
    expect(fake.requests[1]).toContain('sum=5')
  })

  test('abort closes the connection to the model', async () => {
    const { port, fake } = await open(protocol, () => ({ text: 'A long story begins', hangs: true }))
    const stopping = new AbortController()
    const reading = (async () => {
      for await (const event of port.stream(QUESTION, stopping.signal)) if (event.kind === 'text') stopping.abort()
    })()
    await expect(reading).rejects.toThrow()
    await expect.poll(() => fake.cutAnswers()).toBe(1)
  })

  test('a rate limit is waited for, and told when it lasts', async () => {
    const passing = await open(protocol, (at) =>
      at < 2 ? { status: 429, headers: { 'retry-after': '0.01' } } : { text: 'ok' },
    )
    expect(await collect(passing.port.stream(QUESTION, never()))).toContainEqual({ kind: 'text', text: 'ok' })
    await model?.close()
    const lasting = await open(protocol, () => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await expect(collect(lasting.port.stream(QUESTION, never()))).rejects.toMatchObject({ code: 'rate_limited' })
    expect(lasting.fake.requests).toHaveLength(1)
  })

  test.each([
    ['no JSON', { raw: 'data: {"choices":[{"delta"\n\n' }, 'malformed'],
    ['a list', { raw: 'data: 7\n\n' }, 'malformed'],
    ['a wrong key', { status: 401 }, 'rejected'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/steal' } }, 'rejected'],
  ] as const)('%s is a fault', async (_, turn, code) => {
    const { port, fake } = await open(protocol, () => turn)
    const reading = collect(port.stream(QUESTION, never()))
    await expect(reading).rejects.toBeInstanceOf(ModelFault)
    await expect(reading).rejects.toMatchObject({ code })
    expect(fake.requests).toHaveLength(1)
  })

  test('a server problem is tried again and then told', async () => {
    const { port, fake } = await open(protocol, () => ({ status: 503 }))
    await expect(collect(port.stream(QUESTION, never()))).rejects.toMatchObject({ code: 'overloaded' })
    expect(fake.requests).toHaveLength(3)
  })

  test('is probed for streaming, tools and context size', async () => {
    const { settings } = await open(protocol, () => ({ calls: [{ name: 'echo', arguments: '{"word":"ready"}' }] }))
    expect(await probeModel(settings, fetch, never())).toEqual({
      canStream: true,
      canUseTools: true,
      contextTokens: 200_000,
    })
  })
})

describe('the loop ends', () => {
  const loop = async (script: (at: number) => FakeTurn) => {
    const { port } = await open('openai', script)
    const fail = {
      name: 'fail',
      description: '',
      parameters: { type: 'object' },
      run: async () => 'x'.repeat(100_000),
    }
    return await runToolLoop(port, {
      system: 's',
      messages: QUESTION.messages,
      tools: [fail],
      limits: LOOP_LIMITS,
      signal: never(),
      onText: () => undefined,
      onUsage: () => undefined,
    })
  }
  test.each([
    ['a tool without end', { calls: [{ name: 'fail', arguments: '{}' }] }, { end: 'too_many_steps', steps: 12 }],
    ['an unknown tool', { calls: [{ name: 'drop_database', arguments: '{}' }] }, { end: 'same_error', steps: 3 }],
    ['broken arguments', { calls: [{ name: 'fail', arguments: '{"a":' }] }, { end: 'same_error', steps: 3 }],
    ['text without end', { text: 'a'.repeat(50_000) }, { end: 'too_long', steps: 1 }],
    [
      'too much data',
      { calls: Array.from({ length: 8 }, () => ({ name: 'fail', arguments: '{}' })) },
      { end: 'too_much_data', steps: 2 },
    ],
  ] as const)('with %s', async (_, turn, expected) => {
    expect(await loop(() => turn)).toMatchObject(expected)
  })
})

test.each([
  ['![x](https://evil.example/?d=1)', 'x'],
  ['[click](https://evil.example)', 'click'],
  ['<img src=x onerror=alert(1)>Hi', 'Hi'],
  ['see https://evil.example/a?b', 'see (link removed)'],
  ['[a]: https://evil.example', ''],
  ['**bold** and `code`', '**bold** and `code`'],
])('text of a model carries nothing outside: %s', (text, expected) => {
  expect(toSafeMarkdown(text)).toBe(expected)
})
