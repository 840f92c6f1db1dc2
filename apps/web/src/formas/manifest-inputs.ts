import type { Forma, FormaElement, FormaSection, FormaValues } from '@trellis/contract/formas/forma'
import { getValue } from '@trellis/contract/formas/forma-rules'

export const INPUTS_SECTION = 'inputs'

interface Input {
  reference: string
  label: string
  is_secret: boolean
}

/** Adds a section with the inputs of a custom source. */
export function withInputsSection(forma: Forma, values: FormaValues): Forma {
  const inputs = listInputsIn(forma, values)
  if (inputs === null) return forma
  const others = forma.sections.filter(({ reference }) => reference !== INPUTS_SECTION)
  return { ...forma, sections: inputs.length === 0 ? others : [...others, toSection(inputs)] }
}

function listInputsIn(forma: Forma, values: FormaValues): Input[] | null {
  for (const section of forma.sections) {
    for (const element of section.elements) {
      if (element.type !== 'rest_manifest') continue
      const manifest = getValue(values, section.reference, element.reference) as { inputs?: unknown } | undefined
      return Array.isArray(manifest?.inputs) ? (manifest.inputs as Input[]).filter(isNamed) : []
    }
  }
  return null
}

const isNamed = ({ reference }: Input): boolean => /^[a-z][a-z0-9_]{0,59}$/.test(reference)

function toSection(inputs: readonly Input[]): FormaSection {
  const elements = inputs.map((input, order): FormaElement => ({
    reference: input.reference,
    order,
    label: input.label || input.reference,
    data_type: 'str',
    type: input.is_secret ? 'secret' : 'text',
    properties: {},
  }))
  return { reference: INPUTS_SECTION, order: 1000, title: 'Settings of the source', is_required: true, elements }
}
