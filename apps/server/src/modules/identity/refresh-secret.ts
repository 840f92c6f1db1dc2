import { createHmac } from 'node:crypto'
import { isSameHash, generateSecret } from './codes.ts'

export interface SecretOf {
  sessionId: string
  count: number
}

const FORM = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})\.([\w-]{43})$/

const sign = (pepper: Buffer, text: string) => createHmac('sha256', pepper).update(`refresh|${text}`).digest()

/** Signed with session and count: an old secret can be distinguished from a forged one, so that reuse reveals a theft. */
export function createRefreshSecret(pepper: Buffer, { sessionId, count }: SecretOf): string {
  const text = `${sessionId}.${count}.${generateSecret()}`
  return `${text}.${sign(pepper, text).toString('base64url')}`
}

export function readRefreshSecret(pepper: Buffer, secret: string): SecretOf | null {
  const [, sessionId, count, random, mac] = FORM.exec(secret) ?? []
  if (!sessionId || !count || !random || !mac) return null
  const isOurs = isSameHash(sign(pepper, `${sessionId}.${count}.${random}`), Buffer.from(mac, 'base64url'))
  return isOurs ? { sessionId, count: Number(count) } : null
}
