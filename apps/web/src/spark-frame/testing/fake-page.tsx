import type {
  FrameRows,
  FrameMessage,
  ParameterValues,
  HostMessage,
} from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { render } from '@testing-library/react'
import { connectHost } from '../bridge/connect-host.ts'
import { FrameApp } from '../FrameApp.tsx'

export const toRows = (names: Record<string, FrameRows['columns'][number]['kind']>, rows: (string | null)[][]) => ({
  columns: Object.entries(names).map(([name, kind]) => ({ name, type: kind, kind })),
  rows,
  is_cut: false,
  queried_at: '2026-11-16T08:00:00.000Z',
  stale_since: null as string | null,
})

type Answer = FrameRows | string

/** The page around a frame, with real messages. A string answer is an error of the source. */
export function openFrame(content: SparkContent, answers: Record<string, Answer> = {}) {
  const heard: FrameMessage[] = []
  const page = { postMessage: (message: FrameMessage) => onMessage(message) } as unknown as Window
  const send = (message: HostMessage | object, source: unknown = page) =>
    window.dispatchEvent(new MessageEvent('message', { data: message, source: source as Window }))
  const onMessage = (message: FrameMessage) => {
    heard.push(message)
    if (message.kind !== 'read') return
    const answer = answers[message.source] ?? 'No answer.'
    queueMicrotask(() =>
      send(
        typeof answer === 'string'
          ? { kind: 'problem', request: message.request, message: answer }
          : { kind: 'rows', request: message.request, rows: answer },
      ),
    )
  }
  const host = connectHost(page)
  const start = (parameters: ParameterValues = {}, isFrozen = false) =>
    send({
      kind: 'start',
      content,
      parameters,
      theme: { mode: 'light', tokens: { '--text-primary': '#111' }, locale: 'en' },
      is_frozen: isFrozen,
    })
  return { host, heard, answers, send, start, draw: () => render(<FrameApp host={host} />) }
}

export const toContent = (blocks: object[], extra: Partial<SparkContent> = {}): SparkContent =>
  ({
    sources: [
      { key: 'orders', name: 'Orders', integration_trellis_code: 'x-db', sql: 'select :country', max_age_seconds: 300 },
    ],
    parameters: [],
    body: { kind: 'blocks', blocks },
    ...extra,
  }) as SparkContent
