import { ApiError } from '../../../api/api-error.ts'
import { partSize, listPartsLeft, receivedBytes, type PartPlan } from './parts.ts'

const PARALLEL = 2
const ATTEMPTS = 8

interface SendPartsOptions {
  send: (part: number, options: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<unknown>
  /** Uploaded and in flight. */
  onProgress: (bytes: number) => void
  /** A part is being retried, or (null) has succeeded. */
  onTrouble: (problem: string | null) => void
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Two parts at a time, with retries. */
export async function sendParts(plan: PartPlan, signal: AbortSignal, ports: SendPartsOptions): Promise<void> {
  const left = listPartsLeft(plan)
  const under = new Map<number, number>()
  let done = receivedBytes(plan)
  const tell = () => ports.onProgress(done + [...under.values()].reduce((sum, sent) => sum + sent, 0))
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  tell()

  const sendOne = async (part: number) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await ports.send(part, {
          signal: both,
          onProgress: (sent) => {
            under.set(part, Math.min(sent, partSize(part, plan)))
            tell()
          },
        })
        under.delete(part)
        done += partSize(part, plan)
        ports.onTrouble(null)
        tell()
        return
      } catch (error) {
        under.delete(part)
        if (both.aborted || attempt >= ATTEMPTS || !isPassing(error)) throw error
        ports.onTrouble((error as Error).message)
        await ports.wait(backOff(attempt, error), both)
      }
    }
  }
  const lane = async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) await sendOne(part)
  }
  try {
    await Promise.all(Array.from({ length: PARALLEL }, lane))
  } catch (error) {
    stop.abort(error)
    throw error
  }
}

/** Network errors, overload and rate limits are retried; refusals and a full disk are not. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError && error.code === 'disk_full') return false
  return error instanceof ApiError && (error.code === 'unreachable' || error.status >= 500 || error.status === 429)
}

export function backOff(attempt: number, error: unknown): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined
  return retryAfter === undefined ? Math.min(30_000, 500 * 2 ** attempt) : retryAfter * 1000
}

export function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
