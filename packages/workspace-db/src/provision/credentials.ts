import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Callers must store them sealed. */
export interface WorkspaceCredentials {
  readonly readWrite: string
  readonly readOnly: string
}

const ITERATIONS = 4096
const VERIFIER = /^SCRAM-SHA-256\$(\d+):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)$/

export function generatePassword(): string {
  return randomBytes(32).toString('base64url')
}

export function generateCredentials(): WorkspaceCredentials {
  return { readWrite: generatePassword(), readOnly: generatePassword() }
}

function buildVerifier(password: string, salt: Buffer, iterations: number): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`
}

/** Sent instead of the password, which would appear in the server's log. */
export function scramVerifier(password: string): string {
  return buildVerifier(password, randomBytes(16), ITERATIONS)
}

export function isVerifierFor(stored: string, password: string): boolean {
  const parts = VERIFIER.exec(stored)
  if (!parts?.[1] || !parts[2]) return false
  const iterations = Number(parts[1])
  // A huge iteration count, set by the role itself, would block this process for minutes.
  if (iterations !== ITERATIONS) return false
  const own = Buffer.from(buildVerifier(password, Buffer.from(parts[2], 'base64'), iterations))
  const other = Buffer.from(stored)
  return own.length === other.length && timingSafeEqual(own, other)
}

/** A digest stored with the login, to tell its current password from earlier ones. */
export function computePasswordMark(password: string): string {
  return `password ${createHash('sha256').update(password).digest('base64url')}`
}
