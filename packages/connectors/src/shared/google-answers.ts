import type { Answer, Verdict } from '@trellis/connector-kit/http/verdict'
import { jsonAnswer } from './hash-values.ts'
import { getBearerAccess } from './consent-tokens.ts'

export interface GoogleProblem {
  readonly code: number
  readonly status: string
  readonly message: string
  readonly reasons: readonly string[]
  readonly retryAfterMs: number | undefined
}

type Loose = Record<string, unknown>

/** Streamed responses wrap the error in a list. */
export function parseGoogleProblem({ status, text }: Pick<Answer, 'status' | 'text'>): GoogleProblem | null {
  if (status < 400) return null
  const body = parseJson(text)
  const { error } = ((Array.isArray(body) ? body[0] : body) ?? {}) as { error?: Loose }
  if (typeof error !== 'object' || error === null || typeof error['status'] !== 'string') return null
  const details = Array.isArray(error['details']) ? (error['details'] as Loose[]) : []
  const reasons = details.flatMap((detail) => listReasons(detail))
  const delay = details.map((detail) => detail['retryDelay']).find((candidate) => typeof candidate === 'string')
  return {
    code: status,
    status: error['status'],
    message: typeof error['message'] === 'string' ? error['message'].slice(0, 300) : '',
    reasons,
    retryAfterMs: typeof delay === 'string' ? Number.parseFloat(delay) * 1000 : undefined,
  }
}

function listReasons(detail: Loose): string[] {
  const own = typeof detail['reason'] === 'string' ? [detail['reason']] : []
  const errors = Array.isArray(detail['errors']) ? (detail['errors'] as Loose[]) : []
  return [...own, ...errors.flatMap(({ errorCode }) => Object.values((errorCode ?? {}) as Record<string, string>))]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

export function classifyGoogleAnswer(answer: Answer, api: string): Verdict | undefined {
  const problem = parseGoogleProblem(answer)
  if (!problem) return undefined
  const { status, reasons, message, retryAfterMs } = problem
  if (status === 'UNAUTHENTICATED') return { kind: 'refresh_token' }
  if (reasons.includes('SERVICE_DISABLED')) {
    return {
      kind: 'configuration',
      message: `The ${api} is switched off in the Google Cloud project of your app.`,
      advice: `Open the project in the Google Cloud console, enable the ${api}, wait a few minutes and try again.`,
      field: 'app.client_id',
    }
  }
  if (reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
    return {
      kind: 'configuration',
      message: 'Consent was given, but not for everything that is needed.',
      advice: "Link the account again and leave every box on Google's page ticked.",
      field: 'consent.link',
    }
  }
  if (status === 'RESOURCE_EXHAUSTED')
    return { kind: 'rate_limited', message: `Google: ${message || 'the quota is used up.'}`, retryAfterMs }
  return undefined
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
}

export function buildGoogleError(code: number, message: string, details: readonly Loose[] = []): Response {
  const error = { code, message, status: STATUS[code] ?? 'UNKNOWN', ...(details.length > 0 ? { details } : {}) }
  return jsonAnswer({ error }, code)
}

export function refuseAccess(request: Request, now: Date, what: string): Response | null {
  const access = getBearerAccess(request, now)
  if (access.state !== 'good') {
    return buildGoogleError(401, 'Request had invalid authentication credentials.', [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_EXPIRED', domain: 'googleapis.com' },
    ])
  }
  return access.holder === 'stranger'
    ? buildGoogleError(403, `User does not have sufficient permissions for this ${what}.`)
    : null
}
