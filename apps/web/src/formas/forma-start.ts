import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import { FIRST_DIMENSION } from '@trellis/contract/formas/forma'
import { findFormaProblems, startValues } from '@trellis/contract/formas/forma-rules'

export function getInitialValues(forma: Forma, kept: FormaValues = {}): FormaValues {
  const values = startValues(forma)
  for (const section of forma.sections) {
    const own: Record<string, unknown> = { ...values[section.reference], ...kept[section.reference] }
    for (const element of section.elements) {
      if (element.type === 'dimensions') own[element.reference] ??= [{ dimension: FIRST_DIMENSION, actionEvent: '' }]
    }
    values[section.reference] = own
  }
  return values
}

/** Omits cleared secrets and optional texts, so that the server keeps or deletes them. */
export function toSubmittedValues(values: FormaValues): FormaValues {
  const sent: FormaValues = {}
  for (const [section, elements] of Object.entries(values)) {
    sent[section] = Object.fromEntries(
      Object.entries(elements).filter(([, value]) => value !== undefined && value !== null && value !== ''),
    )
  }
  return sent
}

export function buildSampleValues(forma: Forma, values: FormaValues, today: string): FormaValues {
  const problems = findFormaProblems(forma, values, { today })
  const invented = structuredClone(values)
  for (const section of forma.sections) {
    for (const element of section.elements) {
      const name = `${section.reference}.${element.reference}`
      const example = problems[name] === undefined ? undefined : buildExample(element)
      if (example !== undefined) (invented[section.reference] ??= {})[element.reference] = example
    }
  }
  return invented
}

function buildExample(element: FormaElement): unknown {
  switch (element.type) {
    case 'text':
    case 'secret': {
      const { pattern, placeholder } = element.properties
      const fits = (text: string) => !pattern || new RegExp(pattern, 'u').test(text)
      return [placeholder, 'sample', '1234567890', 'sample@example.com'].find(
        (text) => text !== undefined && text !== '' && fits(text),
      )
    }
    case 'select':
      return element.properties.options[0]?.value
    case 'number':
      return element.properties.min ?? 1
    default:
      return undefined
  }
}
