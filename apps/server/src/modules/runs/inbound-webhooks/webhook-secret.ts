import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Scanners of leaked secrets know the beginning; the rest is 256 random bits of which only the hash is kept. */
const SECRET_PREFIX = 'trl_hook_'
const NO_HASH = Buffer.alloc(32)

export const makeSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64url')}`

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** An address that is not there takes as long as one whose secret is wrong. */
export function isSecret(given: string, hash: Buffer | undefined): boolean {
  return timingSafeEqual(hashSecret(given), hash ?? NO_HASH) && hash !== undefined
}
