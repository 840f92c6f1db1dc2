import { ConnectorError } from '../connector-error.ts'
import { listErrorCodes } from '../error-codes.ts'

/** Refused by the SSRF guard; a retry cannot help. */
const REFUSED_CODES = new Set(['address_refused', 'redirect_refused', 'url_invalid'])
export const REFUSED_ADVICE = 'Use an address on the public internet, or have whoever runs this Trellis allow it.'

export const isRefusedAddress = (error: unknown): boolean =>
  listErrorCodes(error).some((code) => REFUSED_CODES.has(code))

export function toRefusedAddressError(error: unknown, field: string): ConnectorError | undefined {
  if (!isRefusedAddress(error)) return undefined
  const message = error instanceof Error ? error.message : 'This address can not be called from here.'
  return new ConnectorError('configuration', message, { field, advice: REFUSED_ADVICE, cause: error })
}
