import type { Endpoint } from '@trellis/contract/core/endpoint'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ApiError } from './api-error.ts'
import { follow } from './follow.ts'
import type { FollowState } from './follow.ts'

export interface FollowStatus {
  state: FollowState
  error: ApiError | undefined
}

const AT_FIRST: FollowStatus = { state: 'connecting', error: undefined }

/** `call`: the request of this event's stream; a stream that is being replaced may still deliver events. */
export type EventCallback<Result, Call = unknown> = (event: Result, call: Call) => 'over' | undefined | void
interface EventsOptions<Call, Result> {
  onEvent: EventCallback<Result, Call>
  /** Changes the request of a reconnect, e.g. to resume. */
  ask: (call: Call) => Call
}

/**
 * Subscribes while the component is mounted and the tab is visible. Without `ask`, a reconnect repeats earlier events,
 * so they must describe state rather than changes. Null unsubscribes.
 */
export function useEvents<Call, Handler, Result>(
  endpoint: Endpoint<Call, Handler, Result>,
  call: NoInfer<Call> | null,
  onEvent: EventCallback<NoInfer<Result>, NoInfer<Call>> | EventsOptions<NoInfer<Call>, NoInfer<Result>>,
): FollowStatus {
  const [following, setFollowing] = useState(AT_FIRST)
  const options = typeof onEvent === 'function' ? { onEvent, ask: (same: Call) => same } : onEvent
  const input = useEffectEvent(() => options.ask(call as Call))
  const heard = useEffectEvent((event: Result, asked: Call) => options.onEvent(event, asked) ?? undefined)
  const key = call === null ? null : JSON.stringify(call)

  useEffect(() => {
    if (key === null) return
    let stop: AbortController | null = null
    let isOver = false
    const asked = JSON.parse(key) as Call
    const start = () => {
      if (stop || isOver) return
      stop = new AbortController()
      const { signal } = stop
      void follow(endpoint, input, {
        signal,
        onEvent: (event) => heard(event, asked),
        onState: (state, error) => {
          if (signal.aborted) return
          isOver = state === 'over' || state === 'refused'
          setFollowing({ state, error })
        },
      })
    }
    const end = () => {
      stop?.abort()
      stop = null
    }
    const look = () => (document.visibilityState === 'hidden' ? end() : start())
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      end()
    }
  }, [endpoint, key])
  return following
}
