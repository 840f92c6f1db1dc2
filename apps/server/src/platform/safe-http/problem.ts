export type OutgoingCode =
  | 'url_invalid'
  | 'address_refused'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'redirect_refused'

/** Why a call to the outside did not happen or did not end. The message is written for people. */
export class OutgoingProblem extends Error {
  override readonly name = 'OutgoingProblem'
  readonly code: OutgoingCode

  constructor(code: OutgoingCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
