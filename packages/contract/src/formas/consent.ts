import type { Forma, FormaValues } from './forma.ts'
import { shownSections } from './forma-rules.ts'

/** Whether these values sign in by OAuth; another method hides the link. */
export const hasConsentLink = (forma: Forma, values: FormaValues): boolean =>
  shownSections(forma, values).some(({ elements }) => elements.some(({ type }) => type === 'oauth_link'))
