import {
  type FrameRows,
  type FrameTheme,
  type FrameMessage,
  type ParameterValues,
  HostMessage,
} from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import * as z from 'zod/mini'
import { pickUsedParameters } from './used-parameters.ts'

export interface FrameState {
  readonly content: SparkContent
  readonly parameters: ParameterValues
  readonly theme: FrameTheme
  readonly isFrozen: boolean
  readonly refreshes: number
}

export interface Host {
  getState(): FrameState | null
  subscribe(listener: () => void): () => void
  readRows(source: string, parameters: ParameterValues): Promise<FrameRows>
  setParameters(change: ParameterValues): void
  send(message: FrameMessage): void
}

interface PendingRequest {
  resolve(rows: FrameRows): void
  reject(problem: Error): void
}

/** Drops what is no bridge message or comes from another window. */
export function connectHost(page: Window, own: Window = window): Host {
  let state: FrameState | null = null
  let requests = 0
  const listeners = new Set<() => void>()
  const waiting = new Map<number, PendingRequest>()
  const kept = new Map<string, Promise<FrameRows>>()
  // `*`: an opaque origin cannot be named, and only the embedding page can be the parent.
  const send = (message: FrameMessage) => page.postMessage(message, '*')
  const update = (next: FrameState) => {
    state = next
    for (const listener of [...listeners]) listener()
  }
  own.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== page) return
    const { success, data } = z.safeParse(HostMessage, event.data)
    if (!success) return
    if (data.kind === 'ping') return send({ kind: 'pong' })
    if (data.kind === 'start') {
      kept.clear()
      const { content, parameters, theme, is_frozen } = data
      return update({ content, parameters, theme, isFrozen: is_frozen, refreshes: (state?.refreshes ?? 0) + 1 })
    }
    if (data.kind === 'rows' || data.kind === 'problem') {
      const pendingRequest = waiting.get(data.request)
      waiting.delete(data.request)
      return data.kind === 'rows' ? pendingRequest?.resolve(data.rows) : pendingRequest?.reject(new Error(data.message))
    }
    if (!state) return
    if (data.kind === 'theme') return update({ ...state, theme: data.theme })
    if (data.kind === 'parameters') return update({ ...state, parameters: data.parameters })
    kept.clear()
    update({ ...state, refreshes: state.refreshes + 1 })
  })
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    readRows(source, parameters) {
      const used = pickUsedParameters(state?.content, source, parameters)
      const key = JSON.stringify([source, used])
      const known = kept.get(key)
      if (known) return known
      requests += 1
      const request = requests
      const rows = new Promise<FrameRows>((resolve, reject) => waiting.set(request, { resolve, reject }))
      kept.set(key, rows)
      rows.catch(() => kept.delete(key))
      send({ kind: 'read', request, source, parameters: used })
      return rows
    },
    setParameters(change) {
      if (!state || state.isFrozen) return
      const parameters = { ...state.parameters, ...change }
      update({ ...state, parameters })
      send({ kind: 'parameters', parameters })
    },
    send,
  }
}
