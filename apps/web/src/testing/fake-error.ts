import { ERRORS, type ErrorCode, type ErrorSource } from '@trellis/contract/core/errors'

export class FakeError extends Error {
  readonly code: ErrorCode
  readonly source: ErrorSource | undefined
  constructor(code: ErrorCode, { detail, source }: { detail?: string; source?: ErrorSource } = {}) {
    super(detail ?? `${ERRORS[code].title}.`)
    this.code = code
    this.source = source
  }
}
