import { ERRORS, type ErrorCode, type WireError } from '@trellis/contract/core/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../platform/app-error.ts'
import { toDatabaseError } from '../platform/database-fault.ts'

export function wireError(error: AppError, requestId: string): { errors: WireError[] } {
  const item: WireError = {
    status: String(error.status),
    code: error.code,
    title: ERRORS[error.code].title,
    detail: error.message,
    id: requestId,
    ...(error.source ? { source: error.source } : {}),
  }
  return { errors: [item] }
}

const FASTIFY_CODES: Record<string, { code: ErrorCode; detail: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large', detail: 'The request is too large. Send less at once.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'media_type_unsupported', detail: 'Send the request as application/json.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'invalid_request', detail: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'invalid_request', detail: 'The body is empty.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    detail: 'The Content-Length does not match the body.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', detail: 'There is nothing at this address.' },
  FST_ERR_BAD_URL: { code: 'not_found', detail: 'There is nothing at this address.' },
}

/** Values Postgres cannot store are the client's error. */
const BAD_VALUE = new Set(['22021', '22003', '22P05', '22P02', '22007', '22008'])
const DATABASE_AWAY = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53100',
  '53200',
  '53300',
  '08000',
  '08001',
  '08003',
  '08006',
  // PgBouncer without a server.
  '08P01',
  // Right after a failover the control database may still be a read-only replica.
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
])

/** Two requests at once, where each was right by itself. */
const RACES: Record<string, { code: ErrorCode; detail: string }> = {
  '23503': { code: 'conflict', detail: 'What this belongs to was deleted meanwhile. Reload, then try again.' },
  '23505': { code: 'conflict', detail: 'The same was made by another request meanwhile. Reload, then try again.' },
  '40P01': { code: 'unavailable', detail: 'Two requests waited for each other. Try again in a moment.' },
}

/** Driver errors without a code. */
const CONNECTION_LOST = /Connection terminated|timeout exceeded when trying to connect|is not queryable/

function findRace(cause: unknown, state: string | undefined): AppError | undefined {
  const race = RACES[state ?? '']
  if (!race) return undefined
  const isPassing = race.code === 'unavailable'
  return new AppError(race.code, race.detail, { cause, ...(isPassing && { retryAfterSeconds: 2 }) })
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof WorkspaceDbError) return toDatabaseError(error)
  const { code, message, statusCode } = error as Partial<FastifyError>
  const known = code ? FASTIFY_CODES[code] : undefined
  if (known) return new AppError(known.code, known.detail, { cause: error })
  if (code && BAD_VALUE.has(code)) {
    return new AppError('invalid_request', 'A value has characters or a size that can not be stored.', { cause: error })
  }
  const race = findRace(error, code)
  if (race) return race
  const isAway = (code && DATABASE_AWAY.has(code)) || CONNECTION_LOST.test(message ?? '')
  if (isAway)
    return new AppError('unavailable', 'The database is not reachable right now. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 2,
    })
  if (statusCode === 403 || statusCode === 404) return addressNotFoundError()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('invalid_request', 'The request could not be read.', { cause: error })
  return new AppError('internal', 'Something went wrong on our side. Try again; if it stays, send us the reference.', {
    cause: error,
  })
}

export const addressNotFoundError = () => new AppError('not_found', 'There is nothing at this address.')

/** Work that was aborted because the client disconnected is no error. */
function isClientGone({ cause }: AppError, { raw }: FastifyReply): boolean {
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown }
  return raw.closed && !raw.writableFinished && (code === 'cancelled' || name === 'AbortError')
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const knownAppError = toAppError(error)
  if (knownAppError.status >= 500 && !isClientGone(knownAppError, reply))
    request.log.error({ err: error, code: knownAppError.code }, 'request failed')
  // Were it not a race, nobody would notice.
  else if (((error as Partial<FastifyError>).code ?? '') in RACES) request.log.warn({ err: error }, 'lost a race')
  if (knownAppError.retryAfterSeconds) void reply.header('retry-after', String(knownAppError.retryAfterSeconds))
  // Errors before routing pass no hook that would set it.
  return reply.code(knownAppError.status).header('x-request-id', request.id).send(wireError(knownAppError, request.id))
}
