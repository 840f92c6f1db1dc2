import type { FormaValues } from '@trellis/contract/formas/forma'

export interface BuilderContext {
  values: FormaValues
  integration: string | null
  onInput: (reference: string, value: string) => void
}
