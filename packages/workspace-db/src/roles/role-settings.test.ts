import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { haveSameSettings, parseSearchPath } from './role-settings.ts'

describe('parseSearchPath', () => {
  it.each([
    ['data, "Other"', ['data', 'Other']],
    ['"a ""b"", c", d', ['a "b", c', 'd']],
    ['""', ['']],
    ['', []],
  ])('reads %s', (text, names) => expect(parseSearchPath(text)).toEqual(names))

  it('reads back what was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (names) => {
        expect(parseSearchPath(names.map((name) => pg.escapeIdentifier(name)).join(', '))).toEqual(names)
      }),
    )
  })
})

describe('haveSameSettings', () => {
  it('ignores order and needless quotes, and nothing else', () => {
    expect(haveSameSettings(['search_path=data, b', 'role=x'], ['role=x', 'search_path="data", "b"'])).toBe(true)
    expect(haveSameSettings(['search_path=b, data'], ['search_path=data, b'])).toBe(false)
    expect(haveSameSettings(['statement_timeout=1min'], ['statement_timeout=1h'])).toBe(false)
  })
})
