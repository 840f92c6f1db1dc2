import {
  type FrameRows,
  type FrameTheme,
  FrameMessage,
  type ParameterValues,
  type HostMessage,
} from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import * as z from 'zod/mini'
import { createTokenBucket } from './token-bucket.ts'

/** Enough for all blocks of a spark requesting rows at once. */
const BURST = 200
const MESSAGES_PER_SECOND = 40
const PING_EVERY_MS = 3000
/** In pings rather than time: a machine that slept has missed none. */
const MAX_MISSED_PINGS = 5
/** The script has to load first. */
const MAX_MISSED_STARTS = 20

export type StopReason = 'flood' | 'stuck' | 'left'

interface FrameHostOptions {
  readonly getFrame: () => Window | null
  readonly getStart: () => { content: SparkContent; parameters: ParameterValues; theme: FrameTheme }
  readonly readRows: (source: string, parameters: ParameterValues) => Promise<FrameRows>
  readonly onParameters: (parameters: ParameterValues) => void
  readonly onHeight: (pixels: number) => void
  readonly onFailed: (message: string) => void
  readonly onReady: () => void
  readonly onStop: (reason: StopReason) => void
  readonly now?: () => number
}

export interface FrameHost {
  send(message: HostMessage): void
  onLoad(): void
  close(): void
}

export function hostFrame(options: FrameHostOptions): FrameHost {
  const take = createTokenBucket({
    capacity: BURST,
    perSecond: MESSAGES_PER_SECOND,
    now: options.now ?? (() => performance.now()),
  })
  let isOpen = true
  let isReady = false
  let loads = 0
  let missed = 0
  // `*`: the opaque origin cannot be named, and the CSP allows nothing else in the frame.
  const send = (message: HostMessage) => isOpen && options.getFrame()?.postMessage(message, '*')
  const close = () => {
    isOpen = false
    window.removeEventListener('message', onMessage)
    clearInterval(timer)
  }
  const stop = (reason: StopReason) => {
    if (!isOpen) return
    close()
    options.onStop(reason)
  }
  const onMessage = (event: MessageEvent<unknown>) => {
    const frame = options.getFrame()
    if (!isOpen || frame === null || event.source !== frame) return
    // Rate-limit before parsing: large messages are expensive.
    if (!take()) return stop('flood')
    const { success, data } = z.safeParse(FrameMessage, event.data)
    if (!success) return
    missed = 0
    handle(data)
  }
  const handle = (message: FrameMessage) => {
    const { content } = options.getStart()
    switch (message.kind) {
      case 'ready':
        // Only once: a second `ready` comes from restarted code or another page.
        if (isReady) return
        isReady = true
        send({ kind: 'start', ...options.getStart(), is_frozen: false })
        return options.onReady()
      case 'read': {
        const { request, source } = message
        const refuse = (text: string) => send({ kind: 'problem', request, message: text })
        if (!content.sources.some(({ key }) => key === source)) return refuse(`There is no source “${source}”.`)
        options.readRows(source, filterDeclared(content, message.parameters)).then(
          (rows) => send({ kind: 'rows', request, rows }),
          (problem: unknown) => refuse((problem as Error).message),
        )
        return
      }
      case 'parameters':
        return options.onParameters(filterDeclared(content, message.parameters))
      case 'height':
        return options.onHeight(message.pixels)
      case 'failed':
        return options.onFailed(message.message)
      case 'pong':
        return
    }
  }
  const timer = setInterval(() => {
    // Browsers throttle timers of hidden pages.
    if (document.visibilityState === 'hidden') return
    missed += 1
    if (missed > (isReady ? MAX_MISSED_PINGS : MAX_MISSED_STARTS)) return stop('stuck')
    send({ kind: 'ping' })
  }, PING_EVERY_MS)
  window.addEventListener('message', onMessage)
  return {
    send,
    onLoad() {
      loads += 1
      if (loads > 1) stop('left')
    },
    close,
  }
}

function filterDeclared({ parameters }: SparkContent, values: ParameterValues): ParameterValues {
  return Object.fromEntries(
    parameters.flatMap(({ key }) => (Object.hasOwn(values, key) ? [[key, values[key] ?? null]] : [])),
  )
}
