import { useOptionsFrom } from '../forma.queries.ts'

export interface Choice {
  value: string
  label: string
  hint?: string | undefined
}

interface Choices {
  choices: readonly Choice[]
  /** The options are unknown, so any text is allowed. */
  isOpen: boolean
  isLoading: boolean
  problem: string | undefined
}

export function useChoices(properties: { options: readonly Choice[]; options_from?: string | undefined }): Choices {
  const { options, options_from } = properties
  const optionsFromQuery = useOptionsFrom(options_from)
  const known = new Set(options.map(({ value }) => value))
  const choices = [...options, ...(optionsFromQuery.data ?? []).filter(({ value }) => !known.has(value))]
  return {
    choices,
    isOpen: options_from !== undefined && !optionsFromQuery.isLoading && choices.length === 0,
    isLoading: optionsFromQuery.isLoading,
    problem: optionsFromQuery.error?.message,
  }
}

/** Keeps a stored value visible that is no longer an option. */
export function withChosen(choices: readonly Choice[], chosen: readonly string[]): readonly Choice[] {
  const missing = chosen.filter((item) => item !== '' && !choices.some(({ value }) => value === item))
  return missing.length === 0 ? choices : [...choices, ...missing.map((value) => ({ value, label: value }))]
}
