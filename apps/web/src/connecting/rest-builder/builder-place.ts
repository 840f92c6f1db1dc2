import type { FormaValues } from '@trellis/contract/formas/forma'

/** The connection that is being built, of which the builder asks the rest. */
export interface BuilderPlace {
  values: FormaValues
  integration: string | null
  onInput: (reference: string, value: string) => void
}
