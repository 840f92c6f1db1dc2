import { FIRST_DIMENSION } from '@trellis/contract/formas/forma'
import type { Choice } from './use-choices.ts'

export const toRowLetter = (row: number): string => String.fromCodePoint(65 + row)

/** Options that no other row uses. */
export function listFreeChoices(choices: readonly Choice[], taken: readonly string[], own: string): Choice[] {
  return choices.filter(({ value }) => value === own || !taken.includes(value))
}

/** The first dimension is always the date, even when the platform does not list it. */
export function withDate(choices: readonly Choice[]): readonly Choice[] {
  return choices.some(({ value }) => value === FIRST_DIMENSION)
    ? choices
    : [{ value: FIRST_DIMENSION, label: 'Date' }, ...choices]
}
