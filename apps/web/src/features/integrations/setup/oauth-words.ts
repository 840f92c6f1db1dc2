import type { FormaValues } from '@trellis/contract/formas/forma'
import type { PlatformDetails } from '@trellis/contract/integrations/integrations.schemas'

/** A token pasted by hand takes the place of consent on the platform's page. */
function hasPastedToken(values: FormaValues): boolean {
  return Object.values(values['token'] ?? {}).some((value) => typeof value === 'string' && value.trim() !== '')
}

export function needsConsent(platform: Pick<PlatformDetails, 'oauth'>, values: FormaValues): boolean {
  return platform.oauth !== null && !hasPastedToken(values)
}
