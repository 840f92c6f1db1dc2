import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'

/** A pasted token replaces OAuth consent. */
function hasPastedToken(values: FormaValues): boolean {
  return Object.values(values['token'] ?? {}).some((value) => typeof value === 'string' && value.trim() !== '')
}

export function needsConsent(forma: Forma, values: FormaValues): boolean {
  return hasConsentLink(forma, values) && !hasPastedToken(values)
}
