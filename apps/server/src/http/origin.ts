import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { Config } from '../platform/config.ts'

/** A page of another site must not spend this browser's cookies, nor sign it in as somebody else. */
export function checkOrigin(request: FastifyRequest, config: Config): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const isOwn = origin === config.publicUrl || origin === `${request.protocol}://${request.headers.host ?? ''}`
  if (!isOwn) throw new AppError('origin_refused', 'This call may only be made from the product itself.')
}
