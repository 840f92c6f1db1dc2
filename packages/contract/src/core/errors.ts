/** `detail` may be replaced where the error is thrown; code and status may not. */
export const ERRORS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  idempotency_key_invalid: { status: 400, title: 'The Idempotency-Key is not valid' },
  not_signed_in: { status: 401, title: 'You are not signed in' },
  credentials_wrong: { status: 401, title: 'The e-mail or password is not right' },
  second_factor_required: { status: 401, title: 'A code from your authenticator app is needed' },
  second_factor_wrong: { status: 401, title: 'The authenticator code is not right' },
  activation_required: { status: 401, title: 'The profile is not activated yet' },
  plan_expired: { status: 402, title: 'The plan of this account has ended' },
  plan_not_paid: { status: 402, title: 'The plan is not paid' },
  credits_used_up: { status: 402, title: 'There are not enough credits' },
  forbidden: { status: 403, title: 'You may not do this' },
  origin_refused: { status: 403, title: 'The request came from another site' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  limit_reached: { status: 409, title: 'A limit is reached' },
  address_taken: { status: 409, title: 'The address is taken' },
  invite_over: { status: 409, title: 'The invite can not be used any more' },
  plan_too_small: { status: 409, title: 'The plan is too small for current use' },
  conflict: { status: 409, title: 'Something else changed this at the same time' },
  any_address: { status: 409, title: 'This would let every address in' },
  lock_out: { status: 409, title: 'This would shut you out' },
  body_too_large: { status: 413, title: 'The request is too large' },
  media_type_unsupported: { status: 415, title: 'The content type is not supported' },
  code_wrong: { status: 422, title: 'The code is not right or has expired' },
  password_needed: { status: 422, title: 'The password chosen at sign-up is needed' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  password_wrong: { status: 422, title: 'The current password is not right' },
  second_factor_state: { status: 409, title: 'Two-factor sign-in is not in a state that allows this' },
  sso_not_configured: { status: 404, title: 'Single sign-on is not set up here' },
  sso_failed: { status: 401, title: 'Single sign-on did not succeed' },
  statement_failed: { status: 422, title: 'The database could not do this' },
  statement_timeout: { status: 422, title: 'The database took too long' },
  upload_refused: { status: 422, title: 'The file can not be used' },
  integration_in_use: { status: 409, title: 'Something still uses this connection' },
  integration_incomplete: { status: 409, title: 'The connection is not set up completely' },
  integration_problem: { status: 422, title: 'The connected system could not do this' },
  trigger_cycle: { status: 409, title: 'Blocks would wait for each other in a circle' },
  block_incomplete: { status: 409, title: 'The block is not set up completely' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong' },
  payments_unavailable: { status: 503, title: 'The payment provider is not available right now' },
  disk_full: { status: 507, title: 'The disk is nearly full' },
  unavailable: { status: 503, title: 'The service is not available right now' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof ERRORS

/** A JSON pointer into the body, or a parameter's name. */
export interface ErrorSource {
  pointer?: string
  parameter?: string
  header?: string
}

export interface WireError {
  status: string
  code: ErrorCode
  title: string
  detail: string
  source?: ErrorSource
  id?: string
}
