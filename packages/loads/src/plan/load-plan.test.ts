import { SCHEMA_POLICIES, WRITE_STRATEGIES } from '@trellis/contract/dataflows/dataflow-words'
import { COLUMN_TYPE_NAMES } from '@trellis/contract/explorer/column-types'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTypes } from './column-change.ts'
import type { LoadPlan, LoadRequest } from './load-plan.ts'
import { planLoad } from './load-plan.ts'
import { toChangeId, describeSchemaChange, decideSchema, findSchemaChanges } from './schema-change.ts'
import type { ExistingTable, WantedTable } from './tables.ts'
import { toPostgresType, getWantedTable } from './tables.ts'

const wanted = (columns: Record<string, ColumnType>, primaryKey: string[] = ['id']): WantedTable => ({
  columns: Object.entries(columns).map(([name, type]) => ({ field: name, name, type })),
  primaryKey,
  indexes: [],
  newestBy: null,
})
const existing = (columns: Record<string, string>, given: Partial<ExistingTable> = {}): ExistingTable => ({
  columns: Object.entries(columns).map(([name, type]) => ({ name, type, isNullable: name !== 'id' })),
  primaryKey: ['id'],
  hasDependents: false,
  fixedTypeColumns: [],
  ...given,
})
const request = (given: Partial<LoadRequest>): LoadRequest => ({
  strategy: 'Append',
  wanted: wanted({ id: 'integer', note: 'text' }),
  existing: existing({ id: 'bigint', note: 'text' }),
  policy: 'evolve',
  ...given,
})
const steps = (plan: LoadPlan) =>
  plan.do === 'load' ? plan.phases.map(({ name, steps }) => `${name}: ${steps.map((step) => step.do).join(' ')}`) : plan

describe('types', () => {
  test.each<[string, ColumnType, ReturnType<typeof compareTypes>]>([
    ['bigint', 'integer', 'same'],
    ['integer', 'integer', 'wider'],
    ['int4', 'decimal', 'wider'],
    ['bigint', 'decimal', 'wider'],
    ['bigint', 'float', 'other'],
    ['integer', 'float', 'wider'],
    ['numeric(10,2)', 'decimal', 'wider'],
    ['numeric', 'integer', 'narrower'],
    ['character varying(20)', 'text', 'wider'],
    ['varchar', 'text', 'wider'],
    ['text', 'integer', 'other'],
    ['bigint', 'text', 'other'],
    ['date', 'timestamp', 'wider'],
    ['timestamp without time zone', 'date', 'narrower'],
    ['timestamp without time zone', 'timestamptz', 'other'],
    ['timestamp(3) without time zone', 'timestamp', 'wider'],
    ['jsonb', 'json', 'same'],
    ['boolean', 'boolean', 'same'],
    ['money', 'decimal', 'other'],
  ])('%s in the table, %s in the source: %s', (from, to, relation) => {
    expect(compareTypes(from, to)).toBe(relation)
  })
  test('a table just made fits its own model', () => {
    for (const type of COLUMN_TYPE_NAMES) expect(compareTypes(toPostgresType(type), type)).toBe('same')
  })
})

describe('changes of the source', () => {
  const changedSchemaChanges = findSchemaChanges(
    wanted({ id: 'integer', added: 'text', wider: 'decimal', narrower: 'date', other: 'boolean' }),
    existing({ id: 'bigint', wider: 'bigint', narrower: 'timestamp', other: 'text', gone: 'text' }),
  )
  const ids = (changes: readonly Parameters<typeof toChangeId>[0][]) => changes.map(toChangeId)

  test('are found and told in words', () => {
    expect(ids(changedSchemaChanges)).toEqual([
      'add:added',
      'widen:wider:decimal',
      'narrow:narrower:date',
      'convert:other:boolean',
      'gone:gone',
    ])
    expect(changedSchemaChanges.map(describeSchemaChange)[1]).toBe(
      'wider becomes decimal number; it was bigint. Every value it has stays as it is.',
    )
  })
  test('evolve: widening goes by itself, narrowing asks', () => {
    const decision = decideSchema(changedSchemaChanges, 'evolve')
    expect(decision.do).toBe('ask')
    expect(ids(decision.make)).toEqual(['add:added', 'widen:wider:decimal'])
    expect(ids(decision.open)).toEqual(['narrow:narrower:date', 'convert:other:boolean'])
    expect(ids(decision.leave)).toEqual(['gone:gone'])
  })
  test('answers settle it', () => {
    const answers = { 'narrow:narrower:date': 'keep', 'convert:other:boolean': 'change' } as const
    const decision = decideSchema(changedSchemaChanges, 'evolve', { answers })
    expect(decision.do).toBe('go')
    expect(ids(decision.leave)).toEqual(['narrow:narrower:date', 'gone:gone'])
  })
  test('ask: everything asks but what is merely gone', () => {
    expect(ids(decideSchema(changedSchemaChanges, 'ask').open).length).toBe(4)
  })
  test('freeze: the table stays', () => {
    const decision = decideSchema(changedSchemaChanges, 'freeze')
    expect(decision).toMatchObject({ do: 'go', make: [] })
  })
  test('a lost key pauses whatever the policy', () => {
    for (const policy of SCHEMA_POLICIES) {
      for (const strategy of ['Append', 'Upsert'] as const) {
        const plan = planLoad(request({ strategy, policy, wanted: wanted({ note: 'text' }) }))
        expect(plan.do).toBe('pause')
      }
    }
    expect(planLoad(request({ existing: null, wanted: wanted({ note: 'text' }) }))).toEqual({
      do: 'pause',
      reason: 'The source no longer has id, which tells rows apart. Choose another primary key.',
    })
  })
  test('another key asks for Upsert alone; a held column asks before its type changes', () => {
    const other = wanted({ id: 'integer', note: 'text' }, ['note'])
    expect(planLoad(request({ strategy: 'Upsert', wanted: other })).do).toBe('ask')
    expect(planLoad(request({ strategy: 'Append', wanted: other })).do).toBe('load')
    const held = existing({ id: 'integer', note: 'text' }, { hasDependents: true, fixedTypeColumns: ['id'] })
    expect(planLoad(request({ existing: held })).do).toBe('ask')
    expect(planLoad(request({ existing: { ...held, fixedTypeColumns: ['note'] } })).do).toBe('load')
  })
  test('a column that must have a value and is gone may be empty from now on', () => {
    const strict = existing({ id: 'bigint', note: 'text', old: 'text' })
    const columns = strict.columns.map((column) => ({ ...column, isNullable: false }))
    const plan = planLoad(request({ existing: { ...strict, columns } }))
    expect(plan.do === 'load' && plan.phases[0]?.steps[1]).toEqual({
      do: 'alter',
      change: { kind: 'allow_null', column: 'old' },
    })
  })
})

describe('plans', () => {
  test('Append into a new table', () => {
    expect(steps(planLoad(request({ existing: null })))).toEqual([
      'prepare: check_fence create_table create_stage',
      'chunk: check_fence fill append empty_stage keep_cursor receipt',
      'publish: check_fence drop_stage receipt',
    ])
  })
  test('Upsert into a table that has to grow', () => {
    const grown = wanted({ id: 'integer', note: 'text', price: 'decimal' })
    const table = existing({ id: 'integer', note: 'varchar(10)' })
    const plan = planLoad(request({ strategy: 'Upsert', wanted: grown, existing: table }))
    expect(steps(plan)).toEqual([
      'prepare: check_fence alter alter alter create_stage',
      'chunk: check_fence fill dedupe merge empty_stage keep_cursor receipt',
      'publish: check_fence drop_stage receipt',
    ])
    expect(plan.do === 'load' && plan.log.length).toBe(3)
  })
  test('Replace beside the table, keyed and indexed before the swap', () => {
    const indexed = {
      ...wanted({ id: 'integer', note: 'text' }),
      indexes: [{ column: 'note', type: 'btree' as const }],
    }
    const table = existing({ id: 'bigint', note: 'text', old: 'date' })
    const plan = planLoad(request({ strategy: 'Replace', wanted: indexed, existing: table }))
    expect(steps(plan)).toEqual([
      'prepare: check_fence create_beside',
      'chunk: check_fence fill keep_cursor receipt',
      'build: check_fence dedupe create_key create_index',
      'publish: check_fence verify_count swap receipt',
    ])
    if (plan.do !== 'load') throw new Error('no plan')
    expect(plan.phases[0]?.steps[1]).toMatchObject({
      isLasting: true,
      emptyColumns: [{ name: 'old', postgres: 'date' }],
    })
    expect(plan.phases.at(-1)?.steps[2]).toEqual({ do: 'swap', by: 'name' })
    const held = planLoad(request({ strategy: 'Replace', existing: { ...table, hasDependents: true } }))
    expect(held.do === 'load' && held.phases.at(-1)?.steps[2]).toEqual({ do: 'swap', by: 'rows' })
  })
  test('freeze leaves out what the table lacks and keeps its types', () => {
    const grown = wanted({ id: 'integer', note: 'text', price: 'decimal' })
    const table = existing({ id: 'integer', note: 'text' })
    const plan = planLoad(request({ wanted: grown, existing: table, policy: 'freeze' }))
    expect(plan.do === 'load' && plan.columns.map(({ name, postgres }) => [name, postgres])).toEqual([
      ['id', 'integer'],
      ['note', 'text'],
    ])
  })
  test('what can not be planned says why', () => {
    expect(planLoad(request({ strategy: 'Upsert', wanted: wanted({ id: 'integer' }, []) }))).toEqual({
      do: 'refuse',
      reason: 'At least one primary key needs to be selected to enable upsert functionality.',
    })
    expect(planLoad(request({ wanted: wanted({}, []) })).do).toBe('refuse')
  })
  test('a data model becomes a table; two fields of one name are refused', () => {
    const model = {
      fields: { Id: 'integer', Note: 'text' },
      column_mapping: { Id: 'id' },
      primary_keys: ['Id'],
      indexes: { Note: 'hash' },
    } as const
    expect(getWantedTable({ ...model, primary_keys: ['Id'] }, 'Note')).toEqual({
      columns: [
        { field: 'Id', name: 'id', type: 'integer' },
        { field: 'Note', name: 'Note', type: 'text' },
      ],
      primaryKey: ['id'],
      indexes: [{ column: 'Note', type: 'hash' }],
      newestBy: 'Note',
    })
    expect(() => getWantedTable({ ...model, primary_keys: [], column_mapping: { Id: 'Note' } })).toThrow(/Two fields/)
  })
  test('whatever the tables, a plan checks its number first in every transaction and ends with its receipt', () => {
    const type = fc.constantFrom(...COLUMN_TYPE_NAMES)
    const columns = fc.dictionary(fc.constantFrom('id', 'a', 'b', 'c'), type, { minKeys: 1 })
    fc.assert(
      fc.property(
        columns,
        fc.option(fc.dictionary(fc.constantFrom('id', 'a', 'b', 'd'), type.map(toPostgresType))),
        fc.constantFrom(...WRITE_STRATEGIES),
        fc.constantFrom(...SCHEMA_POLICIES),
        fc.boolean(),
        (...[source, table, strategy, policy, isHeld]) => {
          const plan = planLoad({
            strategy,
            policy,
            wanted: wanted(source, 'id' in source ? ['id'] : []),
            existing:
              table &&
              existing(table, {
                hasDependents: isHeld,
                fixedTypeColumns: isHeld ? Object.keys(table) : [],
                primaryKey: 'id' in table ? ['id'] : [],
              }),
          })
          if (plan.do === 'ask') expect(plan.questions.length).toBeGreaterThan(0)
          if (plan.do !== 'load') return
          for (const { steps } of plan.phases) expect(steps[0]?.do).toBe('check_fence')
          expect(plan.phases.at(-1)?.steps.at(-1)).toEqual({ do: 'receipt', isDone: true })
          expect(
            plan.phases.flatMap(({ steps }) => steps).filter((step) => step.do === 'receipt' && step.isDone).length,
          ).toBe(1)
          if (table && policy === 'freeze') for (const { name } of plan.columns) expect(name in table).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
