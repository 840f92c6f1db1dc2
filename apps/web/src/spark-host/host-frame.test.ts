import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { afterEach, expect, test, vi } from 'vitest'
import { type FrameHost, hostFrame } from './host-frame.ts'

const content: SparkContent = {
  sources: [{ key: 'orders', name: 'Orders', integration_trellis_code: 'x-db', sql: 'select 1', max_age_seconds: 0 }],
  parameters: [{ key: 'country', label: 'Country', type: 'text', initial: null, options_from: null }],
  body: { kind: 'blocks', blocks: [] },
}
const rows: FrameRows = { columns: [], rows: [], is_cut: false, queried_at: '', stale_since: null }
const opened: FrameHost[] = []
afterEach(() => {
  for (const host of opened.splice(0)) host.close()
  vi.useRealTimers()
})

function open() {
  const sent: object[] = []
  const frame = { postMessage: (message: object) => sent.push(message) } as unknown as Window
  const seen = {
    stopped: [] as string[],
    parameters: [] as object[],
    heights: [] as number[],
    read: [] as unknown[],
    sent,
  }
  const host = hostFrame({
    getFrame: () => frame,
    getStart: () => ({ content, parameters: {}, theme: { mode: 'light', tokens: {}, locale: 'en' } }),
    readRows: async (...asked) => {
      seen.read.push(asked)
      return rows
    },
    onParameters: (values) => seen.parameters.push(values),
    onHeight: (pixels) => seen.heights.push(pixels),
    onFailed: () => undefined,
    onReady: () => undefined,
    onStop: (reason) => seen.stopped.push(reason),
    now: () => 0,
  })
  opened.push(host)
  const say = (data: unknown, source: unknown = frame) =>
    window.dispatchEvent(new MessageEvent('message', { data, source: source as Window }))
  return { host, seen, say }
}

test('a frame that is ready is started once', () => {
  const { seen, say } = open()
  say({ kind: 'ready' })
  say({ kind: 'ready' })
  expect(seen.sent).toHaveLength(1)
  expect(seen.sent[0]).toMatchObject({ kind: 'start', content, is_frozen: false })
})

test('rows are read for declared sources and parameters alone', async () => {
  const { seen, say } = open()
  say({ kind: 'read', request: 1, source: 'orders', parameters: { country: 'NO', other: 'x' } })
  say({ kind: 'read', request: 2, source: 'passwords', parameters: {} })
  await vi.waitFor(() => expect(seen.sent).toContainEqual({ kind: 'rows', request: 1, rows }))
  expect(seen.read).toEqual([['orders', { country: 'NO' }]])
  expect(seen.sent).toContainEqual({ kind: 'problem', request: 2, message: 'There is no source “passwords”.' })
  say({ kind: 'parameters', parameters: { country: 'IT', 'p.version': 'x' } })
  expect(seen.parameters).toEqual([{ country: 'IT' }])
})

test('what comes from elsewhere or is no message is dropped', () => {
  const { seen, say } = open()
  say({ kind: 'height', pixels: 10 }, window)
  for (const data of [null, 'height', { kind: 'height', pixels: -1 }, { kind: 'height', pixels: 1e9 }, { kind: 'x' }]) {
    say(data)
  }
  expect(seen.heights).toEqual([])
})

test('a flood stops the frame, and what comes after it is not heard', () => {
  const { seen, say } = open()
  for (let n = 0; n < 5000; n += 1) say({ kind: 'height', pixels: n })
  expect(seen.stopped).toEqual(['flood'])
  expect(seen.heights.length).toBeLessThan(300)
})

test('a frame that loads another page is stopped', () => {
  const { host, seen } = open()
  host.onLoad()
  expect(seen.stopped).toEqual([])
  host.onLoad()
  expect(seen.stopped).toEqual(['left'])
})

test('a frame that answers no ping is stuck; one that answers is not', () => {
  vi.useFakeTimers()
  const quiet = open()
  const lively = open()
  quiet.say({ kind: 'ready' })
  lively.say({ kind: 'ready' })
  for (let n = 0; n < 20; n += 1) {
    vi.advanceTimersByTime(3000)
    lively.say({ kind: 'pong' })
  }
  expect(quiet.seen.stopped).toEqual(['stuck'])
  expect(lively.seen.stopped).toEqual([])
})
