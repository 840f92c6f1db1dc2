export type OutgoingCode =
  | 'url_invalid'
  | 'address_refused'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'redirect_refused'

/** The message is for users. */
export class OutgoingProblem extends Error {
  override readonly name = 'OutgoingProblem'
  readonly code: OutgoingCode

  constructor(code: OutgoingCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
