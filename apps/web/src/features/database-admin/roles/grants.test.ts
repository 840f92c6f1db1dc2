import { expect, test } from 'vitest'
import { localTime, getExpiryState, parseLocalTime } from '../expiry.ts'
import { joinNames } from '../join-names.ts'
import { countDriftedCells, listDisplayedRights } from '../rights/rights-view.ts'
import { formatGrants, findStrongerTemplate, matrixSchemas, withGrant, type RoleGrant } from './grants.ts'

const on = (template: RoleGrant['template'], schema_name: string | null): RoleGrant => ({ template, schema_name })

test('a stronger right takes the weaker ones of its schema in', () => {
  const grants = withGrant([on('reader', 'a'), on('reader', 'b'), on('loader', 'a')], on('admin', 'a'), true)
  expect(grants).toEqual([on('reader', 'b'), on('loader', 'a'), on('admin', 'a')])
  expect(findStrongerTemplate(grants, on('writer', 'a'))).toBe('admin')
  expect(findStrongerTemplate(grants, on('writer', 'b'))).toBeNull()
  expect(findStrongerTemplate(grants, on('loader', 'b'))).toBeNull()
  expect(withGrant(grants, on('admin', 'a'), false)).toEqual([on('reader', 'b'), on('loader', 'a')])
})

test('a schema that is gone can still be taken out of a role', () => {
  expect(matrixSchemas(['a'], [on('reader', 'old'), on('analyst', null)])).toEqual([
    { name: 'a', isGone: false },
    { name: 'old', isGone: true },
  ])
})

test('a role is told in one line', () => {
  const templates = [
    { template: 'reader' as const, label: 'Reader', description: '', needs_schemas: true, rights: [] },
    { template: 'analyst' as const, label: 'Analyst', description: '', needs_schemas: false, rights: [] },
  ]
  expect(formatGrants([on('reader', 'a'), on('analyst', null), on('reader', 'b')], templates)).toBe(
    'Reader on a, b; Analyst',
  )
  expect(
    joinNames(
      ['2', '9', '1'],
      [
        { code: '1', name: 'One' },
        { code: '2', name: 'Two' },
      ],
      'code',
    ),
  ).toBe('Two, One')
})

test('an expiry keeps its minute through the browser’s field', () => {
  const instant = '2026-03-31T12:34:00.000Z'
  expect(parseLocalTime(localTime(instant))).toBe(instant)
  expect(parseLocalTime('')).toBeNull()
  expect(localTime(null)).toBe('')
  const now = new Date('2026-03-31T12:00:00Z')
  expect(
    [null, '2026-03-31T11:59:00Z', '2026-04-02T00:00:00Z', '2026-09-01T00:00:00Z'].map((at) => getExpiryState(at, now)),
  ).toEqual(['works', 'over', 'soon', 'works'])
})

test('a cell of the matrix says what matters', () => {
  const right = (name: 'connect' | 'read' | 'write') => ({ right: name, through: ['Reader'] })
  const cell = (rights: ReturnType<typeof right>[], has_drifted = false) => ({ schema_name: 'a', rights, has_drifted })
  expect(listDisplayedRights(cell([right('connect'), right('write'), right('read')]))).toEqual(['read', 'write'])
  expect(listDisplayedRights(cell([right('connect')]))).toEqual(['connect'])
  expect(listDisplayedRights(cell([]))).toEqual([])
  const line = { profile_trellis_code: 'x', name: 'X', kind: 'member' as const, cells: [cell([], true), cell([])] }
  expect(countDriftedCells([line])).toBe(1)
})
