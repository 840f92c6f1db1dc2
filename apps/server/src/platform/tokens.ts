import { type KeyObject, createPublicKey } from 'node:crypto'
import { SignJWT, decodeJwt, errors, jwtVerify } from 'jose'

export const ACCESS_TOKEN_SECONDS = 600
const AUDIENCE = 'trellis-api'
const TYPE = 'at+jwt'

interface AccessClaims {
  userCode: string
  sessionId: string
}

export interface Tokens {
  sign(claims: AccessClaims, now: Date): Promise<string>
  verify(token: string, now: Date): Promise<AccessClaims | null>
  /** Accepts expired tokens. */
  verifyExpired(token: string, now: Date): Promise<AccessClaims | null>
}

/** Fixed algorithm, issuer and audience: the token's header decides nothing. */
export function createTokens(options: { privateKey: KeyObject; issuer: string }): Tokens {
  const { privateKey, issuer } = options
  const publicKey = createPublicKey(privateKey)

  async function read(token: string, currentDate: Date): Promise<AccessClaims | null> {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      issuer,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      currentDate,
    })
    const { sub, sid } = payload
    return typeof sub === 'string' && typeof sid === 'string' ? { userCode: sub, sessionId: sid } : null
  }

  const remembered = createMemory()

  return {
    sign: async ({ userCode, sessionId }, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000)
      return await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'EdDSA', typ: TYPE })
        .setSubject(userCode)
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(privateKey)
    },
    verify: async (token, now) => {
      const knownAccessClaims = remembered.recall(token, now)
      if (knownAccessClaims) return knownAccessClaims
      try {
        const claims = await read(token, now)
        if (claims) remembered.remember(token, claims)
        return claims
      } catch {
        return null
      }
    },
    verifyExpired: async (token, now) => {
      try {
        return await read(token, now)
      } catch (error) {
        if (!(error instanceof errors.JWTExpired)) return null
        const { sub, sid } = error.payload
        return typeof sub === 'string' && typeof sid === 'string' ? { userCode: sub, sessionId: sid } : null
      }
    },
  }
}

const MAX_REMEMBERED = 10_000

/** Caches verified signatures, which cost more than a small read. Revocation is checked elsewhere. */
function createMemory() {
  const tokens = new Map<string, { claims: AccessClaims; expires: number }>()
  return {
    recall: (token: string, now: Date): AccessClaims | undefined => {
      const found = tokens.get(token)
      return found && found.expires > now.getTime() ? found.claims : undefined
    },
    remember: (token: string, claims: AccessClaims): void => {
      if (tokens.size >= MAX_REMEMBERED) tokens.clear()
      tokens.set(token, { claims, expires: (decodeJwt(token).exp ?? 0) * 1000 })
    },
  }
}
