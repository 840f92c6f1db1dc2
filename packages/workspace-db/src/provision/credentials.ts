import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Callers must store them sealed. */
export interface WorkspaceCredentials {
  readonly readWrite: string
  readonly readOnly: string
}

const SCRAM_ITERATIONS = 4096
const SCRAM_VERIFIER = /^SCRAM-SHA-256\$(\d+):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)$/

export function generatePassword(): string {
  return randomBytes(32).toString('base64url')
}

export function generateCredentials(): WorkspaceCredentials {
  return { readWrite: generatePassword(), readOnly: generatePassword() }
}

function buildVerifier(password: string, salt: Buffer, iterations: number): string {
  const saltedPassword = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', saltedPassword).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}

/** Sent instead of the password, which would appear in the server's log. */
export function buildScramVerifier(password: string): string {
  return buildVerifier(password, randomBytes(16), SCRAM_ITERATIONS)
}

export function isVerifierFor(storedVerifier: string, password: string): boolean {
  const match = SCRAM_VERIFIER.exec(storedVerifier)
  if (!match?.[1] || !match[2]) return false
  const iterations = Number(match[1])
  // A huge iteration count, set by the role itself, would block this process for minutes.
  if (iterations !== SCRAM_ITERATIONS) return false
  const computedVerifier = Buffer.from(buildVerifier(password, Buffer.from(match[2], 'base64'), iterations))
  const expectedVerifier = Buffer.from(storedVerifier)
  return computedVerifier.length === expectedVerifier.length && timingSafeEqual(computedVerifier, expectedVerifier)
}

/** A digest stored with the login, to tell its current password from earlier ones. */
export function computePasswordMark(password: string): string {
  return `password ${createHash('sha256').update(password).digest('base64url')}`
}
