import type { Message } from '@trellis/contract/ai/ai.schemas'
import { followMessage, getMessageUpdates } from '@trellis/contract/ai/conversations.endpoints'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { useEvents } from '../../../api/use-events.ts'
import type { ChatParams } from '../conversations.queries.ts'

export const isGoing = ({ status }: Pick<Message, 'status'>): boolean =>
  status === 'creating' || status === 'responding'

/** A buffering proxy shows itself by silence. */
const SILENCE_MS = 4000
const RETRY_MS = 2000
/** Limits the request rate when the server answers "unchanged" at once. */
const UNCHANGED_MS = 250

/** Streams one answer; falls back to long polling when the stream fails or stays silent. */
export function useFollowAnswer(params: ChatParams, message: Message | null, onChange: (message: Message) => void) {
  const [polledCode, setPolledCode] = useState<string | null>(null)
  const { message_trellis_code: code } = message ?? { message_trellis_code: null }
  const chatParams = code === null ? null : { ...params, message_trellis_code: code }
  const isPolled = code !== null && polledCode === code
  const streamedCode = useRef<string | null>(null)
  const onEvent = (next: Message) => {
    streamedCode.current = next.message_trellis_code
    onChange(next)
    return isGoing(next) ? undefined : ('over' as const)
  }
  const { state } = useEvents(followMessage, chatParams && !isPolled ? { params: chatParams } : null, onEvent)
  useEffect(() => {
    if (code === null || isPolled) return undefined
    if (state === 'waiting') return setPolledCode(code)
    const timer = setTimeout(() => streamedCode.current !== code && setPolledCode(code), SILENCE_MS)
    return () => clearTimeout(timer)
  }, [code, isPolled, state])
  usePolling(isPolled ? chatParams : null, message?.sha ?? '0', onChange)
}

type AnswerLocation = ChatParams & { message_trellis_code: string }

function usePolling(location: AnswerLocation | null, firstSha: string, onChange: (message: Message) => void): void {
  const changed = useEffectEvent(onChange)
  const key = location && JSON.stringify(location)
  const poll = useEffectEvent(
    (signal: AbortSignal) => location && pollAnswer({ messageParams: location, firstSha, signal }, changed),
  )
  useEffect(() => {
    if (key === null) return undefined
    const stop = new AbortController()
    void poll(stop.signal)
    return () => stop.abort()
  }, [key])
}

interface PollOptions {
  messageParams: AnswerLocation
  firstSha: string
  signal: AbortSignal
}

async function pollAnswer(
  { messageParams, firstSha, signal }: PollOptions,
  onChange: (message: Message) => void,
): Promise<void> {
  let message_sha = firstSha
  while (!signal.aborted) {
    try {
      const { sha, message } = await call(getMessageUpdates, { params: { ...messageParams, message_sha } }, { signal })
      message_sha = sha
      if (message) onChange(message)
      if (message && !isGoing(message)) return
      if (!message) await pause(UNCHANGED_MS)
    } catch (error) {
      if (isAborted(signal) || (error instanceof ApiError && error.status === 404)) return
      await pause(RETRY_MS)
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const isAborted = (signal: AbortSignal): boolean => signal.aborted
