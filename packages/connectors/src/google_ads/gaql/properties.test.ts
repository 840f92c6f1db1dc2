import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findField, findResource, resourceNames, listSelectableFields } from './catalogue.ts'
import { checkGaql } from './validate-query.ts'
import { parseGaql } from './parse.ts'
import { printGaql } from './print.ts'
import type { Condition, Literal, Operator, Query } from './query.ts'
import { DATE_LITERALS, OPERATORS, isList, unquoteLiteral, toLiteral } from './query.ts'

const place = { line: 0, column: 0 }
const named = (name: string) => ({ name, ...place })
const resource = fc.constantFrom(...resourceNames)
const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => toLiteral(text.replaceAll('\n', ' '))),
  fc.integer().map((number) => ({ kind: 'number' as const, text: String(number), ...place })),
  fc.constantFrom('ENABLED', 'TRUE', ...DATE_LITERALS).map((text) => ({ kind: 'word' as const, text, ...place })),
)

function arbitraryValues(operator: Operator): fc.Arbitrary<Literal[]> {
  if (operator.startsWith('IS')) return fc.constant([])
  if (isList(operator))
    return fc.array(
      literal.filter(({ kind }) => kind === 'string'),
      { minLength: 1, maxLength: 4 },
    )
  const count = operator === 'BETWEEN' ? 2 : 1
  return fc.array(literal, { minLength: count, maxLength: count })
}

const condition = (fields: readonly string[]): fc.Arbitrary<Condition> =>
  fc.constantFrom(...OPERATORS).chain((operator) =>
    fc.record({
      field: fc.constantFrom(...fields).map(named),
      operator: fc.constant(operator),
      operatorAt: fc.constant(place),
      values: arbitraryValues(operator),
    }),
  )

const query: fc.Arbitrary<Query> = resource.chain((from) => {
  const fields = listSelectableFields(findResource(from) as NonNullable<ReturnType<typeof findResource>>)
  const field = fc.constantFrom(...fields).map(named)
  return fc.record({
    select: fc.array(field, { minLength: 1, maxLength: 6 }),
    from: fc.constant(named(from)),
    where: fc.array(condition(fields), { maxLength: 4 }),
    orderBy: fc.array(fc.record({ field, direction: fc.constantFrom('ASC' as const, 'DESC' as const, null) }), {
      maxLength: 3,
    }),
    limit: fc.option(fc.integer({ min: 1, max: 1e9 }).map((count) => ({ count, ...place }))),
    parameters: fc.array(
      fc.record({
        name: fc.constant(named('include_drafts')),
        value: fc.constant({ kind: 'word' as const, text: 'true', ...place }),
      }),
      { maxLength: 1 },
    ),
  })
})

/** Without positions. */
const bare = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner) => (key === 'line' || key === 'column' ? undefined : (inner as unknown))),
  )

describe('printing and parsing', () => {
  it('gives the same query again', () => {
    fc.assert(
      fc.property(query, (item) => {
        const parsed = parseGaql(printGaql(item))
        expect(bare(parsed)).toEqual(bare({ query: item }))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps what a text means', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(unquoteLiteral(toLiteral(text))).toBe(text)
      }),
    )
  })
})

describe('judging', () => {
  it('never throws, whatever is written', () => {
    const words = [
      'SELECT',
      'FROM',
      'WHERE',
      'AND',
      'ORDER BY',
      'LIMIT',
      'IN',
      '(',
      ')',
      ',',
      '=',
      "'",
      '"',
      '\\',
      'campaign',
      'campaign.id',
      '\n',
      '5',
      '-',
      '.',
      'IS',
      'NULL',
      'segments.date',
      'DURING',
      'BETWEEN',
      "'2026-01-01'",
    ]
    const soup = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 5 })), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(soup, (parts) => {
        const { query: parsed, problems } = checkGaql(parts.join(' '))
        expect(parsed !== null || problems.length === 1).toBe(true)
        for (const { line, column } of problems) expect(line > 0 && column > 0).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws on queries of the right shape, whatever is compared with whatever', () => {
    fc.assert(
      fc.property(query, (item) => {
        expect(Array.isArray(checkGaql(printGaql(item)).problems)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the catalogue', () => {
  it('knows every field it allows, and every resource it names', () => {
    for (const name of resourceNames) {
      const catalogueResource = findResource(name)
      for (const other of catalogueResource?.along ?? [])
        expect(findResource(other), `${name} along ${other}`).toBeDefined()
      for (const field of catalogueResource ? listSelectableFields(catalogueResource) : [])
        expect(findField(field)).toBeDefined()
    }
  })

  it('lets every field be selected with some resource', () => {
    for (const name of resourceNames) {
      const catalogueResource = findResource(name)
      for (const field of catalogueResource ? listSelectableFields(catalogueResource) : []) {
        expect(
          checkGaql(
            `SELECT ${field} FROM ${name}${name === 'change_event' ? " WHERE change_event.change_date_time > '2026-01-01' LIMIT 5" : ''}`,
          ).problems,
        ).toEqual([])
      }
    }
  })
})
