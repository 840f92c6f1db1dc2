/** Serialised so that the SDK throws its own error classes. */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined
  readonly declineCode: string | undefined

  constructor(
    status: number,
    message: string,
    more: { type?: string; code?: string; param?: string; declineCode?: string } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.type = more.type ?? 'invalid_request_error'
    this.code = more.code
    this.param = more.param
    this.declineCode = more.declineCode
  }
}

export function notFoundError(kind: string, id: string): ApiError {
  return new ApiError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' })
}

export function badParam(param: string, message: string): ApiError {
  return new ApiError(400, message, { code: 'parameter_invalid', param })
}

export function cardDeclinedError(): ApiError {
  const more = { type: 'card_error', code: 'card_declined', declineCode: 'generic_decline' }
  return new ApiError(402, 'Your card was declined.', more)
}

export function toErrorBody(error: ApiError): { error: Record<string, string> } {
  const { message, type, code, param, declineCode } = error
  return {
    error: {
      message,
      type,
      ...(code === undefined ? {} : { code }),
      ...(param === undefined ? {} : { param }),
      ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    },
  }
}
