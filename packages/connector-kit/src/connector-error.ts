/**
 * The kind decides what happens next: `configuration` stops and tells the owner what to mend, `transient` is tried again,
 * `rate_limited` waits, `system` is ours.
 */
export type ProblemKind = 'configuration' | 'transient' | 'rate_limited' | 'system'

interface Details {
  /** What the person can do about it. */
  advice?: string
  /** The setting at fault, as `section.element`. */
  field?: string
  retryAfterMs?: number
  cause?: unknown
}

/** The message is shown to people and written to logs: it must never hold a secret or the platform's whole answer. */
export class ConnectorError extends Error {
  readonly kind: ProblemKind
  readonly advice: string | undefined
  readonly field: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(kind: ProblemKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'ConnectorError'
    this.kind = kind
    this.advice = details.advice
    this.field = details.field
    this.retryAfterMs = details.retryAfterMs
  }
}
