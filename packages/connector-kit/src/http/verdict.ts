import type { ProblemKind } from '../connector-error.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What to do with a response. `refresh_token` refreshes once, then retries. */
export type Verdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'refresh_token' }
  | {
      readonly kind: ProblemKind
      readonly message: string
      readonly advice?: string | undefined
      readonly field?: string | undefined
      readonly retryAfterMs?: number | undefined
    }

export function classifyByStatus({ status, headers, text }: Answer, platform: string): Verdict {
  if (status >= 200 && status < 300) return { kind: 'ok' }
  const said = quoteErrorMessage(text)
  if (status === 401) {
    const message = `${platform} refused the credentials (401).${said}`
    return { kind: 'configuration', message, advice: 'Enter the credentials again, or link the account again.' }
  }
  if (status === 403) {
    const message = `${platform} does not allow this with these credentials (403).${said}`
    return { kind: 'configuration', message, advice: `Give the account or key the right to read this at ${platform}.` }
  }
  if (status === 404) {
    return {
      kind: 'configuration',
      message: `${platform} has nothing at this address (404).${said}`,
      advice: 'Check the address and the names in the settings.',
    }
  }
  if (status === 429) {
    const message = `${platform} asks to slow down (429).`
    return { kind: 'rate_limited', message, retryAfterMs: parseRetryAfter(headers.get('retry-after')) }
  }
  if (status === 408 || status === 425 || status >= 500) {
    const message = `${platform} could not answer just now (${status}).${said}`
    return { kind: 'transient', message, retryAfterMs: parseRetryAfter(headers.get('retry-after')) }
  }
  return { kind: 'configuration', message: `${platform} refused the request (${status}).${said}` }
}

/** Retry-After holds seconds or a date. */
export function parseRetryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const instant = Date.parse(header)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now)
}

const MAX_TEXT_LENGTH = 200

/** The platform's error message, from the usual places; never the whole response. */
export function quoteErrorMessage(text: string): string {
  const errorMessage = findErrorMessage(parseJson(text))
  if (!errorMessage) return ''
  const short = errorMessage.length > MAX_TEXT_LENGTH ? `${errorMessage.slice(0, MAX_TEXT_LENGTH)}…` : errorMessage
  return ` It said: ${short}`
}

function findErrorMessage(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, errors, error_description: description, detail } = value as Record<string, unknown>
  const first = Array.isArray(errors) ? (errors[0] as unknown) : errors
  for (const candidate of [message, description, detail, error, first]) {
    if (typeof candidate === 'string' && candidate !== '') return candidate
    const deeper = findErrorMessage(candidate)
    if (deeper) return deeper
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
