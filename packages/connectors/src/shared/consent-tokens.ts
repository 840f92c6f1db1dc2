/** Self-contained, so that any process can check them. Unsigned: they only give access to sample data. */
export interface SimulatedGrant {
  readonly kind: 'code' | 'refresh' | 'access'
  readonly client: string
  readonly scope: string
  readonly holder: Holder
  /** Seconds since 1970; null if it does not expire. */
  readonly ends: number | null
  readonly redirect?: string
  readonly challenge?: string
  readonly turn?: number
}

/** Users of the simulator: with all permissions, with none, and one who revokes consent. */
export const HOLDERS = ['owner', 'stranger', 'leaver'] as const
export type Holder = (typeof HOLDERS)[number]

const PREFIX = 'sim.'

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string): string =>
  new TextDecoder().decode(
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (item) => item.charCodeAt(0)),
  )

export const encodeGrant = (grant: SimulatedGrant): string =>
  `${PREFIX}${toBase64Url(new TextEncoder().encode(JSON.stringify(grant)))}`

export function decodeGrant(text: string): SimulatedGrant | null {
  if (!text.startsWith(PREFIX)) return null
  try {
    const grant = JSON.parse(fromBase64Url(text.slice(PREFIX.length))) as Partial<SimulatedGrant>
    return HOLDERS.some((holder) => holder === grant.holder) ? (grant as SimulatedGrant) : null
  } catch {
    return null
  }
}

export type Access =
  | { readonly state: 'missing' | 'wrong' | 'expired'; readonly holder?: undefined }
  | { readonly state: 'good'; readonly holder: Holder }

export function getAccess(token: string | null, now: Date): Access {
  if (!token) return { state: 'missing' }
  const grant = decodeGrant(token)
  if (grant) {
    if (grant.kind !== 'access') return { state: 'wrong' }
    return grant.ends !== null && grant.ends * 1000 <= now.getTime()
      ? { state: 'expired' }
      : { state: 'good', holder: grant.holder }
  }
  if (/^wrong/i.test(token)) return { state: 'wrong' }
  if (/^expired/i.test(token)) return { state: 'expired' }
  return { state: 'good', holder: /^stranger/i.test(token) ? 'stranger' : 'owner' }
}

function findBearer(request: Request): string | null {
  const [, token = ''] = /^bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token === '' ? null : token
}

export const getBearerAccess = (request: Request, now: Date): Access => getAccess(findBearer(request), now)
