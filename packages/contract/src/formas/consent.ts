import type { Forma, FormaValues } from './forma.ts'
import { listShownSections } from './forma-rules.ts'

export const hasConsentLink = (forma: Forma, values: FormaValues): boolean =>
  listShownSections(forma, values).some(({ elements }) => elements.some(({ type }) => type === 'oauth_link'))
