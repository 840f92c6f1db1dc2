import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { Config } from '../platform/config.ts'

/** CSRF: another site must not use the browser's cookies or sign it in. */
export function checkOrigin(request: FastifyRequest, config: Config): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const isOwn = origin === config.publicUrl || origin === `${request.protocol}://${request.headers.host ?? ''}`
  if (!isOwn) throw new AppError('origin_refused', 'This call may only be made from the product itself.')
}
