import type { Forma, FormaValues } from './forma.ts'
import { shownSections } from './forma-rules.ts'

export const hasConsentLink = (forma: Forma, values: FormaValues): boolean =>
  shownSections(forma, values).some(({ elements }) => elements.some(({ type }) => type === 'oauth_link'))
