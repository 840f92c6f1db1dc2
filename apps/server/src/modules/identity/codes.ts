import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { toReadableText } from '../../platform/trellis-code.ts'

export const CODE_MINUTES = 15
export const CODE_TRIES = 5

/** Per email over all codes: limits the odds of guessing a 6-digit code to 1 in 100,000. */
export const GUESSES_PER_HOUR = [10, 3600] as const

type Purpose = 'activation' | 'reset' | 'recovery'

export function generateCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0')
}

/** Codes are short: without the pepper a plain hash could be brute-forced. */
export function hashCode(pepper: Buffer, about: { purpose: Purpose; owner: string; code: string }): Buffer {
  return createHmac('sha256', pepper)
    .update(JSON.stringify([about.purpose, about.owner.toLowerCase(), about.code]))
    .digest()
}

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

export function generateSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function generateRecoveryCode(): string {
  return `${toReadableText(5)}-${toReadableText(5)}`
}

export function readRecoveryCode(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  return /^[a-z0-9]{10}$/.test(letters) ? `${letters.slice(0, 5)}-${letters.slice(5)}` : null
}
