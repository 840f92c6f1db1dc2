import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTemplateFaults } from './expression-check.ts'
import { ExpressionFault, parseTemplate } from './expression.ts'
import { FILTERS } from './filters.ts'
import { type Scope, evaluate, evaluateBase, evaluateJson, evaluatePath, evaluateText } from './scope.ts'

const scope: Scope = {
  config: { shop: 'acme', key: 'k&y', day: '2026-01-31', empty: '' },
  values: { app: { token: 't0ken' } },
  query: { data: { fields: ['a', 'b'] } },
  host: (name) => `https://${name}.invalid`,
  now: new Date('2026-11-10T12:00:00.000Z'),
  window: { start: new Date('2026-11-01T00:00:00.000Z'), end: new Date('2026-11-05T06:00:00.500Z') },
  parent: { id: 7, deep: { name: 'x/y?' } },
  partition: 'p1',
}

test.each([
  ['plain', 'plain'],
  ['{{ config.shop }}', 'acme'],
  ['a-{{config.shop}}-{{ config.shop | upper }}', 'a-acme-ACME'],
  ['{{ window.start | date }}', '2026-11-01'],
  ['{{ window.end | unix }}', '1793858400'],
  ['{{ window.end | iso_seconds }}', '2026-11-05T06:00:00Z'],
  ['{{ now | minus_days: 3 | date }}', '2026-11-07'],
  ['{{ config.day | plus_days: 1 | date }}', '2026-02-01'],
  ['{{ parent.deep.name }}', 'x/y?'],
  ['{{ partition.value }}', 'p1'],
  ["{{ query.data.fields | join: '|' }}", 'a|b'],
  ["{{ config.empty | default: 'none' }}", 'none'],
  ["{{ 'literal' | upper }}", 'LITERAL'],
  ['{{ config.key | base64 }}', 'ayZ5'],
  ['{{ values.app.token }}', 't0ken'],
])('%s gives %s', (text, result) => {
  expect(evaluateText(text, scope)).toBe(result)
})

test('an expression that fills the text keeps its type; JSON is filled in everywhere', () => {
  expect(evaluate('{{ window.start | unix }}', scope)).toBe(1_793_491_200)
  expect(evaluateJson({ from: ['{{ window.start | unix }}', { id: '{{ parent.id }}' }], n: 1 }, scope)).toEqual({
    from: [1_793_491_200, { id: 7 }],
    n: 1,
  })
})

test('a value can neither change a path nor a host', () => {
  expect(evaluatePath('/things/{{ parent.deep.name }}/parts', scope)).toBe('/things/x%2Fy%3F/parts')
  expect(evaluateBase('https://{{ config.shop }}.shop.invalid', scope)).toBe('https://acme.shop.invalid')
  const evil = { ...scope, config: { shop: 'evil.invalid/' } }
  expect(() => evaluateBase('https://{{ config.shop }}.shop.invalid', evil)).toThrow("can't be part of an address")
})

test('what is empty is named with where to enter it', () => {
  expect(() => evaluateText('{{ config.empty }}', scope)).toThrow('config.empty is empty.')
  const inherited = '{{ parent.constructor }}'
  expect(() => evaluateText(inherited, scope)).toThrow('parent.constructor is empty.')
})

describe('static checking', () => {
  const names = {
    inputs: new Map([
      ['shop', { isSecret: false }],
      ['key', { isSecret: true }],
    ]),
    hasWindow: true,
  }

  test.each([
    ['{{ config.nope }}', 'There is no input called "nope".'],
    ['{{ nothing }}', 'Nothing is called "nothing".'],
    ['{{ constructor.name }}', 'Nothing is called "constructor.name".'],
    ['{{ config.shop | shout }}', 'There is no filter "shout".'],
    ['{{ config.shop | toString }}', 'There is no filter "toString".'],
    ['{{ window.start | upper }}', "The filter upper can't be used on a point in time."],
    ['{{ window.middle }}', 'A window has a start and an end: window.start, window.end.'],
    ['{{ window.start | minus_days }}', 'The filter minus_days needs a value, as minus_days: 1.'],
    ["{{ window.start | minus_days: 'x' }}", 'The filter minus_days needs a number.'],
    ['{{ parent.id }}', 'A parent is there only in a stream that is read for each record of another.'],
    ['{{ }}', 'There is nothing between "{{" and "}}".'],
    ['{{ config.shop', '"{{" is never closed by "}}".'],
    ['{{ 1 + 1 }}', '"+ 1" is not understood.'],
    ['{{ config.shop shop }}', '"config . shop shop" is neither a name nor a value.'],
  ])('%s: %s', (text, fault) => {
    expect(findTemplateFaults(text, names)).toEqual([fault])
  })

  test('a secret may stand where it is not shown, and nowhere else', () => {
    expect(findTemplateFaults('{{ config.key }}', names)).toEqual([])
    expect(findTemplateFaults('/x/{{ config.key }}', { ...names, isShown: true })).toEqual([
      expect.stringContaining('config.key is secret'),
    ])
  })
})

describe('for any text', () => {
  test('parsing ends with parts or a fault, and text without braces stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, inside) => {
        try {
          const parts = parseTemplate(`${before}{{${inside}}}`)
          expect(parts.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionFault)
        }
        if (!before.includes('{{')) expect(evaluateText(before, scope)).toBe(before)
      }),
    )
  })

  test('what the static check lets pass runs', () => {
    const expression = fc
      .tuple(
        fc.constantFrom(
          'config.shop',
          'config.day',
          'now',
          'window.start',
          'window.end',
          "'x'",
          '3',
          'config.nope',
          'a.b',
        ),
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(FILTERS), 'nope'), fc.constantFrom('', ': 1', ": 'x'")), {
          maxLength: 3,
        }),
      )
      .map(
        ([name, filters]) => `{{ ${name}${filters.map(([filter, argument]) => ` | ${filter}${argument}`).join('')} }}`,
      )
    const inputs = new Map(['shop', 'day'].map((name) => [name, { isSecret: false }]))
    fc.assert(
      fc.property(expression, (text) => {
        if (findTemplateFaults(text, { inputs, hasWindow: true }).length > 0) return
        try {
          evaluateText(text, scope)
        } catch (error) {
          // The content of a text is known at run time only.
          expect(String(error)).toMatch(/is no date|is no number/)
        }
      }),
    )
  })
})
