import { expect, test } from 'vitest'
import { colourOf, initialsOf } from './initials.ts'

test('takes the first letters of the first and last word', () => {
  expect(initialsOf('Ada Lovelace')).toBe('AL')
  expect(initialsOf('  grace  brewster hopper ')).toBe('GH')
  expect(initialsOf('Plato')).toBe('P')
  expect(initialsOf('🌱 farm')).toBe('🌱F')
  expect(initialsOf(' ')).toBe('?')
})

test('the colour belongs to the name', () => {
  expect(colourOf('Ada')).toBe(colourOf('Ada'))
  expect(colourOf('Ada')).toMatch(/^var\(--chart-[0-7]\)$/)
})
