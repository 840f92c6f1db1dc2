import { hashToFraction } from './hash-values.ts'

/** Deterministic pseudo-random values: the same seed and arguments give the same value. */
export interface Dice {
  fraction(...place: (string | number)[]): number
  whole(most: number, ...place: (string | number)[]): number
  pick<T>(from: readonly [T, ...T[]], ...place: (string | number)[]): T
}

export function createRandom(seed: string | number): Dice {
  const fraction = (...place: (string | number)[]) => hashToFraction(seed, ...place)
  const whole = (most: number, ...place: (string | number)[]) => Math.floor(fraction(...place) * most)
  return { fraction, whole, pick: (from, ...place) => from[whole(from.length, ...place)] ?? from[0] }
}

const FIRST = ['Ada', 'Ben', 'Chidi', 'Dana', 'Elif', 'Finn', 'Gia', 'Hugo', 'Ines', 'Jun', 'Kaya', 'Leo'] as const
const LAST = ['Abel', 'Brook', 'Castro', 'Dahl', 'Ender', 'Fuchs', 'Grant', 'Haas', 'Ito', 'Jensen', 'Klein'] as const
const SIDES = ['North', 'Blue', 'Fair', 'Green', 'High', 'Oak', 'River', 'Stone', 'Bright'] as const
const THINGS = ['field', 'harbour', 'works', 'garden', 'bridge', 'light', 'mill', 'house'] as const

export const pickFirstName = (dice: Dice, id: number) => dice.pick(FIRST, 'first', id)
export const pickLastName = (dice: Dice, id: number) => dice.pick(LAST, 'last', id)
export const pickCompanyName = (dice: Dice, id: number) =>
  `${dice.pick(SIDES, 'side', id)}${dice.pick(THINGS, 'thing', id)}`
export const toEmail = (first: string, last: string, id: number) => `${first}.${last}.${id}@example.com`.toLowerCase()
