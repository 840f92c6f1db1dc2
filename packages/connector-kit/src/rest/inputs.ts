import type { FormaSection, FormaValues } from '@trellis/contract/formas/forma'
import { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import * as z from 'zod/mini'

const Inputs = z.pick(RestManifest, { inputs: true })

/** Values are stored as `values.inputs.<reference>`. */
const INPUTS = 'inputs'

export const readInputs = (values: FormaValues): Readonly<Record<string, unknown>> => values[INPUTS] ?? {}

export function buildInputsSection(manifest: unknown, order: number): FormaSection | undefined {
  const known = z.safeParse(Inputs, manifest)
  if (!known.success || known.data.inputs.length === 0) return undefined
  const elements = known.data.inputs.map(({ reference, label, is_secret: isSecret }, index) => ({
    reference,
    order: index + 1,
    label,
    data_type: 'str' as const,
    type: isSecret ? ('secret' as const) : ('text' as const),
    properties: {},
  }))
  return {
    reference: INPUTS,
    order,
    title: 'Inputs',
    description: 'What the source asks for.',
    is_required: true,
    elements,
  }
}
