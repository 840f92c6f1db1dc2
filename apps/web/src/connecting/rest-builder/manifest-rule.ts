import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { getValue } from '@trellis/contract/formas/forma-rules'
import { findManifestFaults } from './manifest-draft.ts'

/** A source that was started must be valid; a missing one is checked by the forma. */
export function manifestRule(forma: Forma): (values: FormaValues) => boolean {
  const places = forma.sections.flatMap(({ reference, elements }) =>
    elements.filter(({ type }) => type === 'rest_manifest').map((element) => [reference, element.reference] as const),
  )
  return (values) =>
    places.every(([section, element]) => {
      const manifest = getValue(values, section, element)
      return manifest === undefined || findManifestFaults(manifest).length === 0
    })
}
