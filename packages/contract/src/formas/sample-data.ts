import type { Forma, FormaElement, FormaSection, FormaValues } from './forma.ts'

/** The sections of every platform with consent that hold an app's and a token's secrets. */
const CREDENTIAL_SECTIONS: readonly string[] = ['app', 'token']

const isCredential = (section: FormaSection, { type }: FormaElement): boolean =>
  type === 'secret' || CREDENTIAL_SECTIONS.includes(section.reference)

/** The forma of a connection with sample data: nobody is asked for what opens a real system. */
export function toSampleForma(forma: Forma): Forma {
  const sections = forma.sections.map((section) => {
    const elements = section.elements.filter((element) => !isCredential(section, element))
    return { ...section, elements, is_required: section.is_required && elements.length > 0 }
  })
  return { ...forma, sections }
}

/** Every simulator takes it; `_test_` tells a Stripe of sample data from a live one. */
const SAMPLE_SECRET = 'sk_test_sample_data'

/** What the connector is given in the place of secrets nobody entered; consent is asked for, not made up. */
export function withSampleSecrets(forma: Forma, values: FormaValues): FormaValues {
  const filled: FormaValues = { ...values }
  for (const section of forma.sections.filter(({ reference }) => !CREDENTIAL_SECTIONS.includes(reference))) {
    const missing = section.elements.filter(
      ({ type, is_optional, reference }) =>
        type === 'secret' && !is_optional && !filled[section.reference]?.[reference],
    )
    if (!section.is_required || missing.length === 0) continue
    const secrets = Object.fromEntries(missing.map(({ reference }) => [reference, SAMPLE_SECRET]))
    filled[section.reference] = { ...filled[section.reference], ...secrets }
  }
  return filled
}
