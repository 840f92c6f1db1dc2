import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { FrameState, Host } from './connect-host.ts'
import { pickUsedParameters } from './used-parameters.ts'

export const HostContext = createContext<Host | null>(null)

export function useHost(): Host {
  const host = useContext(HostContext)
  if (!host) throw new Error('A block stands outside of a frame')
  return host
}

export function useFrameState(): FrameState {
  const host = useHost()
  const state = useSyncExternalStore(host.subscribe, host.getState)
  if (!state) throw new Error('The frame has not been started')
  return state
}

interface RowsState {
  /** The previous rows stay until new ones arrive. */
  readonly rows: FrameRows | null
  readonly problem: string | null
  readonly isLoading: boolean
}

export function useRows(source: string): RowsState {
  const host = useHost()
  const { content, parameters, refreshes } = useFrameState()
  const [state, setState] = useState<RowsState>({ rows: null, problem: null, isLoading: true })
  const asked = JSON.stringify([source, refreshes, pickUsedParameters(content, source, parameters)])
  useEffect(() => {
    let isCurrent = true
    setState((before) => ({ ...before, problem: null, isLoading: true }))
    const now = host.getState()
    host.readRows(source, now?.parameters ?? {}).then(
      (rows) => isCurrent && setState({ rows, problem: null, isLoading: false }),
      (error: unknown) =>
        isCurrent && setState((before) => ({ ...before, problem: (error as Error).message, isLoading: false })),
    )
    return () => {
      isCurrent = false
    }
  }, [host, source, asked])
  return state
}
