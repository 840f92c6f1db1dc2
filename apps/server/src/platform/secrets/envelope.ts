import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Envelope {
  key: Buffer
  /** Additional authenticated data. */
  bound: readonly string[]
}

export class SecretProblem extends Error {
  override readonly name = 'SecretProblem'
}

export function encrypt({ key, bound }: Envelope, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(encodeAdditionalData(bound))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export function decrypt({ key, bound }: Envelope, sealed: Buffer): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SecretProblem('The sealed value is too short.')
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(encodeAdditionalData(bound))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new SecretProblem('The sealed value was changed, moved from its place, or sealed with another key.')
  }
}

/** JSON, so that different lists never give the same bytes. */
function encodeAdditionalData(bound: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(bound))
}
