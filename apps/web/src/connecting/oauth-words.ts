import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'

/** A token pasted by hand takes the place of consent on the platform's page. */
function hasPastedToken(values: FormaValues): boolean {
  return Object.values(values['token'] ?? {}).some((value) => typeof value === 'string' && value.trim() !== '')
}

export function needsConsent(forma: Forma, values: FormaValues): boolean {
  return hasConsentLink(forma, values) && !hasPastedToken(values)
}
