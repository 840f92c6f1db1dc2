import { type KeyObject, createPublicKey } from 'node:crypto'
import { SignJWT, errors, jwtVerify } from 'jose'

export const ACCESS_TOKEN_SECONDS = 600
const AUDIENCE = 'trellis-api'
const TYPE = 'at+jwt'

export interface AccessClaims {
  userCode: string
  sessionId: string
}

export interface Tokens {
  sign(claims: AccessClaims, now: Date): Promise<string>
  /** The claims of a token that is ours and still valid, else null. */
  verify(token: string, now: Date): Promise<AccessClaims | null>
  /** The same for a token that may have expired: it only has to be one we made. */
  verifyExpired(token: string, now: Date): Promise<AccessClaims | null>
}

/** One algorithm, one issuer, one audience: nothing in the token's own header decides how it is checked. */
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
      try {
        return await read(token, now)
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
