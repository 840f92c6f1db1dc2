import { expect, test } from 'vitest'
import { toColour, toInitials } from './initials.ts'

test('takes the first letters of the first and last word', () => {
  expect(toInitials('Ada Lovelace')).toBe('AL')
  expect(toInitials('  grace  brewster hopper ')).toBe('GH')
  expect(toInitials('Plato')).toBe('P')
  expect(toInitials('🌱 farm')).toBe('🌱F')
  expect(toInitials(' ')).toBe('?')
})

test('the colour belongs to the name', () => {
  expect(toColour('Ada')).toBe(toColour('Ada'))
  expect(toColour('Ada')).toMatch(/^var\(--chart-[0-7]\)$/)
})
