import type { Forma, FormaElement, FormaSection, FormaValues } from './forma.ts'

/** Sections of OAuth platforms that hold the app's and the token's secrets. */
const CREDENTIAL_SECTIONS: readonly string[] = ['app', 'token']

const isCredential = (section: FormaSection, { type }: FormaElement): boolean =>
  type === 'secret' || CREDENTIAL_SECTIONS.includes(section.reference)

/** Sample data needs no credentials: removes them from the form. */
export function toSampleForma(forma: Forma): Forma {
  const sections = forma.sections.map((section) => {
    const elements = section.elements.filter((element) => !isCredential(section, element))
    return { ...section, elements, is_required: section.is_required && elements.length > 0 }
  })
  return { ...forma, sections }
}

/** Accepted by every simulator; `_test_` marks a Stripe test key. */
const SAMPLE_SECRET = 'sk_test_sample_data'

/** Fills in credentials that were not entered; OAuth consent is still required. */
export function withSampleSecrets(forma: Forma, values: FormaValues): FormaValues {
  const filled: FormaValues = { ...values }
  for (const section of forma.sections.filter(({ reference }) => !CREDENTIAL_SECTIONS.includes(reference))) {
    const missingElements = section.elements.filter(
      ({ type, is_optional, reference }) =>
        type === 'secret' && !is_optional && !filled[section.reference]?.[reference],
    )
    if (!section.is_required || missingElements.length === 0) continue
    const secrets = Object.fromEntries(missingElements.map(({ reference }) => [reference, SAMPLE_SECRET]))
    filled[section.reference] = { ...filled[section.reference], ...secrets }
  }
  return filled
}
