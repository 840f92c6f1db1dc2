import { ERRORS } from '@trellis/contract/core/errors'
import type { ErrorCode, ErrorSource, WireError } from '@trellis/contract/core/errors'

/** `unreachable` is client-side only: the request got no response. */
export type ApiErrorCode = ErrorCode | 'unreachable'

export interface ApiFault {
  status: number
  code: ApiErrorCode
  title: string
  detail: string
  source?: ErrorSource | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
}

export class ApiError extends Error {
  readonly status: number
  readonly code: ApiErrorCode
  readonly title: string
  readonly detail: string
  readonly source: ErrorSource | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor(fault: ApiFault) {
    super(fault.detail || fault.title)
    this.name = 'ApiError'
    this.status = fault.status
    this.code = fault.code
    this.title = fault.title
    this.detail = fault.detail
    this.source = fault.source
    this.requestId = fault.requestId
    this.retryAfter = fault.retryAfter
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_signed_in'
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unreachable'
}

export function getErrorDetail(error: unknown): string {
  return error instanceof ApiError ? error.detail : 'Oops! Something went wrong'
}

export function getErrorReference(error: unknown): string | undefined {
  return error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
}

export function getErrorField(error: ApiError): string | undefined {
  return error.source?.pointer?.replace(/^\/(body\/)?/, '').replaceAll('/', '.') || undefined
}

export function unreachableError(): ApiError {
  return new ApiError({
    status: 0,
    code: 'unreachable',
    title: 'Trellis cannot be reached',
    detail: 'Trellis cannot be reached. Check your connection and try again.',
  })
}

export async function readApiError(response: Response): Promise<ApiError> {
  const wire = await getFirstWireError(response)
  const code = wire?.code ?? codeFor(response.status)
  const title = wire?.title ?? ERRORS[code].title
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    status: response.status,
    code,
    title,
    detail: wire?.detail ?? `${title}.`,
    source: wire?.source,
    requestId: wire?.id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

/** A reverse proxy may answer with its own error page. */
async function getFirstWireError(response: Response): Promise<WireError | undefined> {
  try {
    const body = (await response.json()) as { errors?: WireError[] } | null
    return body?.errors?.[0]
  } catch {
    return undefined
  }
}

function codeFor(status: number): ErrorCode {
  if (status === 401) return 'not_signed_in'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 413) return 'body_too_large'
  if (status === 429) return 'too_many_requests'
  if (status >= 502 && status <= 504) return 'unavailable'
  return status < 500 ? 'invalid_request' : 'internal'
}
