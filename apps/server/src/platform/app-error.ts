import { ERRORS, type ErrorCode, type ErrorSource } from '@trellis/contract/core/errors'

export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly source: ErrorSource | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail?: string,
    more: { source?: ErrorSource; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail ?? `${ERRORS[code].title}.`, { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.status = ERRORS[code].status
    this.source = more.source
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}
