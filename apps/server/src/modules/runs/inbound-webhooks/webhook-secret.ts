import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The prefix is for secret scanners; the rest is 256 random bits, stored as a hash. */
const SECRET_PREFIX = 'trl_hook_'
const NO_HASH = Buffer.alloc(32)

export const createSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64url')}`

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Constant time, also for unknown URLs. */
export function matchesSecret(secret: string, hash: Buffer | undefined): boolean {
  return timingSafeEqual(hashSecret(secret), hash ?? NO_HASH) && hash !== undefined
}
