import { SCHEMA_POLICIES, WRITE_STRATEGIES } from '@trellis/contract/dataflows/dataflow-words'
import { COLUMN_TYPE_NAMES, type ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTypes } from './column-change.ts'
import { type LoadPlan, type LoadRequest, planLoad } from './load-plan.ts'
import { type SchemaChange, toChangeId } from './schema-change.ts'
import { type SourceFields, getAcceptedFields, followSourceFields, isSourceChange } from './source-change.ts'
import { type ExistingTable, toPostgresType, getWantedTable } from './tables.ts'

const type = fc.constantFrom(...COLUMN_TYPE_NAMES)
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), type).map((others) => ({ id: 'integer', ...others }))
const world = fc.record({
  before: fields,
  now: fields,
  policy: fc.constantFrom(...SCHEMA_POLICIES),
  strategy: fc.constantFrom(...WRITE_STRATEGIES),
  hasModel: fc.boolean(),
  isHeld: fc.boolean(),
})
interface World {
  before: SourceFields
  now: SourceFields
  policy: LoadRequest['policy']
  strategy: LoadRequest['strategy']
  hasModel: boolean
  isHeld: boolean
}

const toModel = (columns: SourceFields): SourceDataModel => ({
  fields: { ...columns },
  column_mapping: {},
  primary_keys: ['id'],
  indexes: {},
})
const toTable = (columns: Readonly<Record<string, string>>, isHeld: boolean): ExistingTable => ({
  columns: Object.entries(columns).map(([name, postgres]) => ({ name, type: postgres, isNullable: name !== 'id' })),
  primaryKey: ['id'],
  hasDependents: isHeld,
  fixedTypeColumns: isHeld ? Object.keys(columns) : [],
})
const made = (columns: SourceFields) =>
  Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, toPostgresType(one)]))

function plan(
  givenWorld: World,
  { table = made(givenWorld.before), model = toModel(givenWorld.before), answers = {} } = {},
) {
  const followed = givenWorld.hasModel
    ? followSourceFields(model, givenWorld.now, givenWorld.before)
    : toModel(givenWorld.now)
  const present = Object.fromEntries(Object.entries(followed.fields).filter(([name]) => name in givenWorld.now))
  const added = givenWorld.hasModel ? Object.keys(followed.fields).filter((name) => !(name in model.fields)) : []
  const result = planLoad({
    strategy: givenWorld.strategy,
    policy: givenWorld.policy,
    wanted: getWantedTable({ ...followed, fields: present as Record<string, ColumnType> }),
    existing: toTable(table, givenWorld.isHeld),
    source: { before: givenWorld.before, now: givenWorld.now, added },
    answers,
  })
  return { result, followed, model }
}
const loaded = (result: LoadPlan) => (result.do === 'load' ? result : undefined)

function alter(table: Readonly<Record<string, string>>, changes: readonly SchemaChange[]): Record<string, string> {
  const changed = changes.flatMap((change) =>
    'type' in change ? [[change.column, toPostgresType(change.type)] as const] : [],
  )
  return { ...table, ...Object.fromEntries(changed) }
}
const isSame = ({ before, now }: World) =>
  Object.keys({ ...before, ...now }).every((name) => before[name] === now[name])

test('what is followed without asking loses no value: columns are added or widened, none is taken away', () => {
  fc.assert(
    fc.property(world, (given) => {
      const ready = loaded(plan(given as World).result)
      for (const change of ready?.make ?? []) {
        expect(['add', 'widen', 'allow_null']).toContain(change.kind)
        if (change.kind === 'widen') expect(compareTypes(change.from, change.type)).toBe('wider')
      }
      if (given.policy !== 'evolve') expect(ready?.make ?? []).toEqual([])
    }),
    { numRuns: 1000 },
  )
})

test('following twice is nothing to do, with a data model too', () => {
  fc.assert(
    fc.property(world, (given) => {
      const first = plan(given as World)
      const ready = loaded(first.result)
      if (!ready) return
      const accepted = given.hasModel ? getAcceptedFields(first, ready.leave) : {}
      const model = toModel({ ...first.model.fields, ...accepted })
      const again = plan(
        { ...(given as World), before: given.now as SourceFields },
        { table: alter(made(given.before as SourceFields), ready.make), model },
      )
      expect(loaded(again.result)?.make).toEqual([])
      expect(getAcceptedFields(again, [])).toEqual(given.hasModel ? {} : expect.anything())
    }),
    { numRuns: 1000 },
  )
})

test('freeze fails on every change of the source and on nothing else; ask asks on the same ones', () => {
  fc.assert(
    fc.property(world, (given) => {
      const frozen = plan({ ...(given as World), policy: 'freeze', isHeld: false }).result
      const asking = plan({ ...(given as World), policy: 'ask', isHeld: false }).result
      if (isSame(given as World)) expect([frozen.do, asking.do]).toEqual(['load', 'load'])
      expect(frozen.do === 'fail').toBe(asking.do === 'ask')
      if (frozen.do === 'fail' && asking.do === 'ask') {
        expect(frozen.changes.map(toChangeId)).toEqual(asking.questions.map(toChangeId))
      }
    }),
    { numRuns: 1000 },
  )
})

test('either answer to every question lets the run go on, unless a view holds on to the type', () => {
  fc.assert(
    fc.property(world, fc.constantFrom('change', 'keep'), (given, answer) => {
      const asked = plan(given as World)
      if (asked.result.do !== 'ask') return
      const answers = Object.fromEntries(asked.result.questions.map((change) => [toChangeId(change), answer]))
      const { result } = plan(given as World, { answers })
      if (answer === 'change' && given.isHeld) return
      expect(result.do).toBe('load')
      if (answer === 'keep' && given.policy === 'ask') expect(loaded(result)?.make).toEqual([])
    }),
    { numRuns: 1000 },
  )
})

test('a column that somebody left out stays out; a type somebody chose stays while it holds every value', () => {
  const model = toModel({ id: 'integer', a: 'text' })
  const before = { id: 'integer', a: 'integer', b: 'text' } as const
  expect(followSourceFields(model, { ...before, a: 'decimal' }, before)).toEqual(model)
  expect(followSourceFields(model, { ...before, c: 'date' }, before).fields).toEqual({ ...model.fields, c: 'date' })
  expect(followSourceFields(model, { ...before, c: 'date' }, null), 'of a first run nothing is known').toEqual(model)
})

test('a column that the settings of the block bring or take away is never asked about, whatever was answered', () => {
  fc.assert(
    fc.property(world, fc.boolean(), fc.constantFrom('change', 'keep'), (given, isOn, answer) => {
      const without = given.before as SourceFields
      const having: SourceFields = { ...without, own: 'timestamptz' }
      const [before, now] = isOn ? [without, having] : [having, without]
      const request: LoadRequest = {
        strategy: given.strategy,
        policy: given.policy,
        wanted: getWantedTable(toModel(now)),
        existing: toTable(made(before), given.isHeld),
        source: { before, now, added: [] },
        answers: { 'add:own': answer, 'gone:own': answer },
        ownColumns: ['own'],
      }
      const plannedLoadPlan = planLoad(request)
      expect(plannedLoadPlan).toMatchObject({ do: 'load', [isOn ? 'make' : 'leave']: [{ column: 'own', isOwn: true }] })
      if (plannedLoadPlan.do !== 'load') return
      expect(plannedLoadPlan.columns.some(({ name }) => name === 'own')).toBe(isOn)
      expect(
        [...plannedLoadPlan.make, ...plannedLoadPlan.leave].some((change) =>
          isSourceChange(change, request.source ?? null),
        ),
      ).toBe(false)
    }),
  )
})
