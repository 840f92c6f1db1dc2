/** `configuration`: the owner must fix it. `transient`: retried. `rate_limited`: waits. `system`: our fault. */
export type ProblemKind = 'configuration' | 'transient' | 'rate_limited' | 'system'

interface Details {
  advice?: string
  field?: string
  retryAfterMs?: number
  cause?: unknown
}

/** The message is shown and logged: it must contain neither a secret nor the platform's whole response. */
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
