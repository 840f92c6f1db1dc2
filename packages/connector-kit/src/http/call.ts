import { ConnectorError } from '../connector-error.ts'
import type { ConnectorContext, OutgoingRequest } from '../context.ts'
import { maskSecrets } from './mask.ts'
import { type Answer, type Verdict, classifyByStatus } from './verdict.ts'
import { isRefusedAddress, REFUSED_ADVICE } from './refused-address.ts'

export interface CallRules {
  readonly platform: string
  /** Interprets responses whose status is not enough; undefined falls back to the status. */
  readonly judge?: ((answer: Answer) => Verdict | undefined) | undefined
  readonly budget?: { requests: number; seconds: number } | undefined
  /** Headers that carry the access token. A 401 refreshes it once. */
  readonly withToken?: ((token: string) => Record<string, string>) | undefined
  readonly secrets?: readonly string[] | undefined
  readonly timeoutMs?: number | undefined
  readonly maxBytes?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
}

export interface Attempt {
  readonly url: string
  readonly request: OutgoingRequest
  readonly answer: Answer | undefined
  readonly tookMs: number
}

export interface CallAnswer extends Answer {
  /** The platform reported something harmless; the body has no data. */
  readonly isIgnored: boolean
  json(): unknown
}

type Problem = Extract<Verdict, { message: string }>

const MAX_ATTEMPTS = 6
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000
/** A longer Retry-After fails this attempt; the run is retried later. */
const MAX_RETRY_AFTER_MS = 15 * 60_000
const MAX_BYTES = 64 * 1024 * 1024
const NO_RULE = { requests: 20, seconds: 1 }

export async function call(
  context: ConnectorContext,
  request: OutgoingRequest & { url: string },
  rules: CallRules,
): Promise<CallAnswer> {
  const startedAt = context.now().getTime()
  let token = rules.withToken ? await context.accessToken() : undefined
  let isRenewed = false
  for (let attempt = 1; ; attempt += 1) {
    context.signal.throwIfAborted()
    await context.budget.take(1, rules.budget ?? NO_RULE)
    const outcome = await attemptOnce(context, withToken(request, rules, token), rules)
    if ('answer' in outcome) return outcome.answer
    if (outcome.kind === 'refresh_token') {
      if (isRenewed || token === undefined) throw accessRefusedError(rules)
      token = await context.accessToken({ isStale: token })
      isRenewed = true
    } else {
      await waitOrThrow(context, { problem: outcome, attempt, startedAt }, rules)
    }
  }
}

type Outcome = { answer: CallAnswer } | { kind: 'refresh_token' } | Problem

async function attemptOnce(
  context: ConnectorContext,
  { url, ...request }: OutgoingRequest & { url: string },
  rules: CallRules,
): Promise<Outcome> {
  const { timeoutMs = 60_000 } = rules
  const maxBytes = Math.min(rules.maxBytes ?? MAX_BYTES, context.interactiveLimits?.maxBytes ?? Infinity)
  const started = context.now().getTime()
  let answer: Answer | undefined
  try {
    const response = await context.fetch(url, { timeoutMs, maxBytes, ...request })
    answer = { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof ConnectorError) throw error
    return toFetchProblem(url, error, rules)
  } finally {
    rules.onAttempt?.({ url, request, answer, tookMs: context.now().getTime() - started })
  }
  const verdict = rules.judge?.(answer) ?? classifyByDefault(answer, rules)
  if (verdict.kind === 'ok' || verdict.kind === 'ignore') {
    return { answer: toCallAnswer(answer, verdict.kind === 'ignore', rules) }
  }
  return verdict
}

function classifyByDefault(answer: Answer, rules: CallRules): Verdict {
  return rules.withToken && answer.status === 401 ? { kind: 'refresh_token' } : classifyByStatus(answer, rules.platform)
}

function toCallAnswer(answer: Answer, isIgnored: boolean, rules: CallRules): CallAnswer {
  const json = (): unknown => {
    try {
      return JSON.parse(answer.text) as unknown
    } catch (cause) {
      throw new ConnectorError('configuration', `${rules.platform} answered with something that is not JSON.`, {
        advice: 'Check the address: a page for people may stand there instead of the API.',
        cause,
      })
    }
  }
  return { ...answer, isIgnored, json }
}

function toFetchProblem(url: string, error: unknown, { platform }: CallRules): Problem {
  const { code } = ((error as { cause?: unknown }).cause ?? error ?? {}) as { code?: unknown }
  const { hostname } = new URL(url)
  if (code === 'ENOTFOUND') {
    return {
      kind: 'configuration',
      message: `There is no host called ${hostname}.`,
      advice: 'Check the address for a typing mistake.',
    }
  }
  const { code: own, message } = error as { code?: unknown; message?: unknown }
  if (isRefusedAddress(error)) {
    return {
      kind: 'configuration',
      message: typeof message === 'string' ? message : `${hostname} can not be called from here.`,
      advice: REFUSED_ADVICE,
    }
  }
  if (own === 'too_large') {
    return {
      kind: 'configuration',
      message: `${platform} answered with more than can be taken at once.`,
      advice: 'Ask for fewer records a page.',
    }
  }
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return { kind: 'transient', message: `The connection to ${platform} at ${hostname} was lost or not made${reason}.` }
}

async function waitOrThrow(
  context: ConnectorContext,
  { problem, attempt, startedAt }: { problem: Problem; attempt: number; startedAt: number },
  rules: CallRules,
): Promise<void> {
  const isRetryable = problem.kind === 'transient' || problem.kind === 'rate_limited'
  const wait = problem.retryAfterMs ?? getBackoffMs(attempt)
  const spent = context.now().getTime() - startedAt
  const isTooLong = wait > MAX_RETRY_AFTER_MS || spent + wait > (context.interactiveLimits?.maxRetryMs ?? Infinity)
  if (!isRetryable || isTooLong || attempt >= (rules.maxAttempts ?? MAX_ATTEMPTS)) throw toError(problem, rules)
  context.log('DEBUG', `${maskSecrets(problem.message, rules.secrets)} Trying again in ${Math.ceil(wait / 1000)} s.`)
  if (problem.kind === 'rate_limited') await context.budget.pauseUntil(context.now().getTime() + wait)
  await context.wait(wait)
}

/** Exponential, with jitter so that clients refused together do not return together. */
const getBackoffMs = (attempt: number) =>
  Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)

function toError({ kind, message, advice, field, retryAfterMs }: Problem, { secrets }: CallRules): ConnectorError {
  return new ConnectorError(kind, maskSecrets(message, secrets), {
    ...(advice === undefined ? {} : { advice }),
    ...(field === undefined ? {} : { field }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

const accessRefusedError = ({ platform }: CallRules) =>
  new ConnectorError('configuration', `${platform} refuses the access that was given.`, {
    advice: 'Link the account again: consent may have been withdrawn or have ended.',
  })

function withToken(
  request: OutgoingRequest & { url: string },
  rules: CallRules,
  token: string | undefined,
): OutgoingRequest & { url: string } {
  if (token === undefined || !rules.withToken) return request
  return { ...request, headers: { ...request.headers, ...rules.withToken(token) } }
}
