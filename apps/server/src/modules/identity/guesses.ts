import { createHmac } from 'node:crypto'
import type { PublicCtx } from '../../platform/ctx.ts'
import { isPassword } from '../../platform/passwords.ts'
import { DEVICE_COOKIE, tryGuess } from '../../platform/rate-limit.ts'
import { GUESSES_PER_HOUR, isSameHash, generateSecret } from './codes.ts'
import type { ProfileRow } from './identity.repository.ts'

const DEVICE_PATH = '/auth'
const DEVICE_DAYS = 365

type Person = Pick<ProfileRow, 'id' | 'trellis_user_code'>

const cookieName = (person: Person) => `${DEVICE_COOKIE}${person.trellis_user_code}`

const sign = (pepper: Buffer, person: Person, device: string) =>
  createHmac('sha256', pepper).update(`device|${person.id}|${device}`).digest()

/** After a complete sign-in. A known device only has its own guess limit. */
export function setDeviceCookie(ctx: PublicCtx, person: Person): void {
  if (ctx.http.wantsRefreshInBody) return
  const device = findDevice(ctx, person) ?? generateSecret()
  const value = `${device}.${sign(ctx.ports.pepper, person, device).toString('base64url')}`
  ctx.http.setCookie(cookieName(person), value, { path: DEVICE_PATH, maxAgeSeconds: DEVICE_DAYS * 86_400 })
}

export function findDevice(ctx: PublicCtx, person: Person): string | undefined {
  const [, device, mac] = /^([\w-]{43})\.([\w-]{43})$/.exec(ctx.http.cookie(cookieName(person)) ?? '') ?? []
  if (!device || !mac) return undefined
  const isOurs = isSameHash(sign(ctx.ports.pepper, person, device), Buffer.from(mac, 'base64url'))
  return isOurs ? device : undefined
}

/** Wrong codes count per person. Known devices count separately: otherwise an attacker could lock out the owner. */
export async function trySecondFactor(ctx: PublicCtx, person: Person, judge: () => Promise<boolean>): Promise<boolean> {
  const device = findDevice(ctx, person)
  const key = `guess|second factor|${person.id}${device ? `|${device}` : ''}`
  return await tryGuess(ctx.db, { key, limit: GUESSES_PER_HOUR }, judge)
}

export async function checkCurrentPassword(ctx: PublicCtx, profile: ProfileRow, password: string): Promise<boolean> {
  const guess = { key: `guess|password|${profile.id}`, limit: GUESSES_PER_HOUR }
  return await tryGuess(ctx.db, guess, () => isPassword(password, profile.password_hash))
}
