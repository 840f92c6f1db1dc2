import { useOptionsFrom } from '../forma.queries.ts'

export interface Choice {
  value: string
  label: string
  hint?: string | undefined
}

interface Choices {
  choices: readonly Choice[]
  /** Nobody can say what there is to choose from, so the person writes it. */
  isOpen: boolean
  isLoading: boolean
  problem: string | undefined
}

/** The forma's own choices and those the platform adds, once it can be asked. */
export function useChoices(properties: { options: readonly Choice[]; options_from?: string | undefined }): Choices {
  const { options, options_from } = properties
  const asked = useOptionsFrom(options_from)
  const known = new Set(options.map(({ value }) => value))
  const choices = [...options, ...(asked.data ?? []).filter(({ value }) => !known.has(value))]
  return {
    choices,
    isOpen: options_from !== undefined && !asked.isLoading && choices.length === 0,
    isLoading: asked.isLoading,
    problem: asked.error?.message,
  }
}

/** A value that is no choice any more still has to be seen. */
export function withChosen(choices: readonly Choice[], chosen: readonly string[]): readonly Choice[] {
  const missing = chosen.filter((one) => one !== '' && !choices.some(({ value }) => value === one))
  return missing.length === 0 ? choices : [...choices, ...missing.map((value) => ({ value, label: value }))]
}
