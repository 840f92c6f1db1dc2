import { createHmac } from 'node:crypto'
import { isSameHash, newSecret } from './codes.ts'

export interface SecretOf {
  sessionId: string
  /** How many secrets the session had before this one. */
  count: number
}

const FORM = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})\.([\w-]{43})$/

const sign = (pepper: Buffer, text: string) => createHmac('sha256', pepper).update(`refresh|${text}`).digest()

/**
 * Names its session and its number, signed: any secret the session ever had can be told from an invented one.
 * So an old one that turns up again, however many came after it, gives the thief away.
 */
export function makeRefreshSecret(pepper: Buffer, { sessionId, count }: SecretOf): string {
  const text = `${sessionId}.${count}.${newSecret()}`
  return `${text}.${sign(pepper, text).toString('base64url')}`
}

export function readRefreshSecret(pepper: Buffer, secret: string): SecretOf | null {
  const [, sessionId, count, random, mac] = FORM.exec(secret) ?? []
  if (!sessionId || !count || !random || !mac) return null
  const isOurs = isSameHash(sign(pepper, `${sessionId}.${count}.${random}`), Buffer.from(mac, 'base64url'))
  return isOurs ? { sessionId, count: Number(count) } : null
}
