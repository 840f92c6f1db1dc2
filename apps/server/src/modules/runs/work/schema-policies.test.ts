import type { Field, Value } from '@trellis/connector-kit/batch'
import type { SchemaPolicy, WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import { SCHEMA_POLICIES, WRITE_STRATEGIES } from '@trellis/contract/dataflows/dataflow-words'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { describe, expect, test } from 'vitest'
import { startLedgerApp } from '../../../testing/ledger-app.ts'
import { writeStep } from '../../../testing/load-runs.ts'
import { addRun } from '../../dataflows/testing/made-up-runs.ts'
import { RunFault } from '../runner/run-work.ts'

const { app, ledger, workspace, loads, source } = await startLedgerApp()

const field = (name: string, type: Field['type']): Field => ({ name, type, isNullable: name !== 'id' })
const FIELDS = [field('id', 'integer'), field('amount', 'integer'), field('rate', 'decimal'), field('note', 'text')]
const COLUMNS = { id: 'bigint', amount: 'bigint', rate: 'numeric', note: 'text' }
const MODEL: SourceDataModel = {
  fields: { id: 'integer', amount: 'integer', rate: 'decimal', note: 'text' },
  column_mapping: {},
  primary_keys: ['id'],
  indexes: {},
}

type Row = Record<string, Value>
const FIRST: Row[] = [
  { id: 1, amount: 10, rate: '0.5', note: 'a' },
  { id: 2, amount: 20, rate: '1.5', note: 'b' },
]
const NEXT: Row = { id: 3, amount: 30, rate: '2.5', note: 'c' }

const without = (fields: readonly Field[], name: string) => fields.filter((other) => other.name !== name)
const retyped = (name: string, type: Field['type']) =>
  FIELDS.map((other) => (other.name === name ? field(name, type) : other))

type Outcome = 'made' | 'asks' | 'fails' | 'stops'
type Outcomes = Record<SchemaPolicy, Outcome>
const HARMLESS: Outcomes = { evolve: 'made', ask: 'asks', freeze: 'fails' }
const LOSING: Outcomes = { evolve: 'asks', ask: 'asks', freeze: 'fails' }
const STOPS: Outcomes = { evolve: 'stops', ask: 'stops', freeze: 'stops' }

interface Change {
  readonly name: string
  readonly fields: readonly Field[]
  readonly row: Row
  readonly outcomes: Outcomes
  /** Columns of the table that differ after the change. */
  readonly made: Readonly<Record<string, string>>
  readonly stored: Readonly<Record<string, string | null>>
  readonly kept: Readonly<Record<string, string | null>>
  /** Applied without asking under `evolve`. */
  readonly harmless?: Readonly<Record<string, string>>
  /** For values that cannot be converted. */
  readonly canNotConvert?: boolean
  readonly lostKey?: boolean
}
const STORED = { id: '3', amount: '30', rate: '2.5', note: 'c' }
const CHANGES: readonly Change[] = [
  {
    name: 'a new column',
    fields: [...FIELDS, field('extra', 'text')],
    row: { ...NEXT, extra: 'new' },
    outcomes: HARMLESS,
    made: { extra: 'text' },
    stored: { ...STORED, extra: 'new' },
    kept: STORED,
  },
  {
    name: 'a removed column',
    fields: without(FIELDS, 'note'),
    row: NEXT,
    outcomes: HARMLESS,
    made: {},
    stored: { ...STORED, note: null },
    kept: { ...STORED, note: null },
  },
  {
    name: 'a wider type',
    fields: retyped('amount', 'decimal'),
    row: { ...NEXT, amount: '30.5' },
    outcomes: HARMLESS,
    made: { amount: 'numeric' },
    stored: { ...STORED, amount: '30.5' },
    kept: { ...STORED, amount: null },
  },
  {
    name: 'a narrower type',
    fields: retyped('rate', 'integer'),
    row: { ...NEXT, rate: 2 },
    outcomes: LOSING,
    made: { rate: 'bigint' },
    stored: { ...STORED, rate: '2' },
    kept: { ...STORED, rate: '2' },
  },
  {
    name: 'another type',
    fields: retyped('note', 'integer'),
    row: { ...NEXT, note: 7 },
    outcomes: LOSING,
    made: { note: 'bigint' },
    stored: { ...STORED, note: '7' },
    kept: { ...STORED, note: '7' },
    canNotConvert: true,
  },
  {
    name: 'a type that any value fits',
    fields: retyped('amount', 'text'),
    row: { ...NEXT, amount: 'many' },
    outcomes: LOSING,
    made: { amount: 'text' },
    stored: { ...STORED, amount: 'many' },
    kept: { ...STORED, amount: null },
  },
  {
    name: 'a renamed column',
    fields: [...without(FIELDS, 'note'), field('remark', 'text')],
    row: { ...NEXT, remark: 'c' },
    outcomes: HARMLESS,
    made: { remark: 'text' },
    stored: { ...STORED, note: null, remark: 'c' },
    kept: { ...STORED, note: null },
  },
  {
    name: 'several at once',
    fields: [...without(retyped('amount', 'decimal'), 'note'), field('extra', 'integer')],
    row: { ...NEXT, amount: '30.5', extra: 9 },
    outcomes: HARMLESS,
    made: { amount: 'numeric', extra: 'bigint' },
    stored: { ...STORED, amount: '30.5', note: null, extra: '9' },
    kept: { ...STORED, amount: null, note: null },
  },
  {
    name: 'one that could lose values beside a harmless one',
    fields: [...retyped('rate', 'integer'), field('extra', 'text')],
    row: { ...NEXT, rate: 2, extra: 'new' },
    outcomes: LOSING,
    made: { rate: 'bigint', extra: 'text' },
    stored: { ...STORED, rate: '2', extra: 'new' },
    kept: { ...STORED, rate: '2' },
    harmless: { extra: 'text' },
  },
  {
    name: 'a removed key column',
    fields: without(FIELDS, 'id'),
    row: NEXT,
    outcomes: HARMLESS,
    made: {},
    stored: { ...STORED, id: null },
    kept: { ...STORED, id: null },
    lostKey: true,
  },
]

interface Mode {
  readonly strategy: WriteStrategy
  readonly hasModel: boolean
}
const MODES: readonly Mode[] = WRITE_STRATEGIES.flatMap((strategy) => [
  { strategy, hasModel: false },
  { strategy, hasModel: true },
])

function give(fields: readonly Field[], rows: readonly Row[]): void {
  ledger.fields = [...fields]
  ledger.key = fields.some(({ name }) => name === 'id') ? ['id'] : []
  ledger.rows = rows.map((row) => fields.map(({ name }) => row[name] ?? null))
}

const makeBlock = ({ strategy, hasModel }: Mode, schema_policy: SchemaPolicy) =>
  loads.block(source, {
    write: writeStep({
      strategy,
      schema_policy,
      dataModel: hasModel ? MODEL : null,
      bad_rows: { choice: 'set_null', most: 10 },
    }),
  })
type Block = ReturnType<typeof makeBlock>

async function readColumns(): Promise<Record<string, string>> {
  const rows = await workspace.sql(
    `select a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute a
      where a.attrelid = 'data.ledger'::regclass and a.attnum > 0 and not a.attisdropped`,
  )
  return Object.fromEntries(rows.map(([name, type]) => [name ?? '', type ?? '']))
}
async function readRows(): Promise<Row[]> {
  const rows = await workspace.sql('select to_jsonb(l) from data.ledger l order by amount::text')
  return rows
    .map(([text]) => JSON.parse(text ?? '{}') as Row)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
    )
}
const readModel = async (block: Block) => (await block.readSettings()).subtasks[0]?.write?.dataModel?.fields ?? null

async function findFault(block: Block): Promise<RunFault> {
  const error = await block.run().catch((fault: unknown) => fault)
  if (!(error instanceof RunFault)) throw new Error(`It is no fault of the run: ${String(error)}`)
  return error
}
const answerAll = ({ question }: RunFault, answer: 'change' | 'keep') => ({
  answers: { 'part 0': Object.fromEntries((question?.changes ?? []).map(({ id }) => [id, answer])) },
})

const outcomeIn = ({ strategy, hasModel }: Mode, change: Change): Outcomes =>
  change.lostKey && (hasModel || strategy === 'Upsert') ? STOPS : change.outcomes

const OLD_ROWS = [
  { id: '1', amount: '10', rate: '0.5', note: 'a' },
  { id: '2', amount: '20', rate: '1.5', note: 'b' },
]

/** Replace has no old rows. */
const expected = ({ strategy }: Mode, row: Change['stored'], oldRows: readonly object[] = OLD_ROWS) =>
  strategy === 'Replace'
    ? [expect.objectContaining(row) as object]
    : [...oldRows.map((item) => expect.objectContaining(item) as object), expect.objectContaining(row) as object]

async function expectMade(block: Block, mode: Mode, change: Change): Promise<void> {
  expect(await readColumns()).toEqual({ ...COLUMNS, ...change.made })
  const isLosing = change.made['rate'] === 'bigint'
  const old = isLosing ? OLD_ROWS.map(({ rate: _, ...row }) => row) : OLD_ROWS
  expect(await readRows()).toEqual(expected(mode, change.stored, old))
  if (mode.hasModel) {
    const now = Object.fromEntries(change.fields.map(({ name, type }) => [name, type]))
    expect(await readModel(block), 'the model has what the source has, and keeps what it had').toEqual({
      ...MODEL.fields,
      ...now,
    })
  }
  const { lines } = await block.run()
  const again = lines.filter((line) => /new column|becomes|would become|data model has/.test(line))
  expect(again, 'following twice is nothing to do').toEqual([])
  expect(await readColumns()).toEqual({ ...COLUMNS, ...change.made })
}

async function expectKept(block: Block, mode: Mode, change: Change): Promise<void> {
  const { schema_policy } = block.settings.subtasks[0]?.write ?? {}
  const made = schema_policy === 'evolve' ? (change.harmless ?? {}) : {}
  expect(await readColumns()).toEqual({ ...COLUMNS, ...made })
  expect(await readRows()).toEqual(expected(mode, change.kept))
  expect(await readModel(block)).toEqual(mode.hasModel ? { ...MODEL.fields, ...made } : null)
  await block.run()
  expect(await readColumns(), 'it is not asked again').toEqual({ ...COLUMNS, ...made })
}

async function expectUntouched(block: Block, mode: Mode): Promise<void> {
  expect(await readColumns()).toEqual(COLUMNS)
  expect(await readRows()).toEqual(OLD_ROWS)
  expect(await readModel(block)).toEqual(mode.hasModel ? MODEL.fields : null)
}

async function loadFirst(mode: Mode, policy: SchemaPolicy): Promise<Block> {
  await workspace.sql('drop table if exists data.ledger cascade')
  give(FIELDS, FIRST)
  const block = makeBlock(mode, policy)
  await block.run()
  return block
}

async function expectDecided(mode: Mode, policy: SchemaPolicy, change: Change): Promise<void> {
  const accepting = await loadFirst(mode, policy)
  give(change.fields, [change.row])
  const fault = await findFault(accepting)
  expect(fault).toMatchObject({ kind: 'schema_changed', subtask: 'part 0' })
  expect(fault.question?.can_keep).toBe(true)
  await expectUntouched(accepting, mode)
  const accept = accepting.run({ request: answerAll(fault, 'change') })
  if (change.canNotConvert && mode.strategy !== 'Replace') {
    await expect(accept, 'values that can not be converted are not lost').rejects.toThrow(/note|integer|bigint/)
    await expectUntouched(accepting, mode)
  } else {
    await accept
    await expectMade(accepting, mode, change)
  }
  const keeping = await loadFirst(mode, policy)
  give(change.fields, [change.row])
  await keeping.run({ request: answerAll(await findFault(keeping), 'keep') })
  await expectKept(keeping, mode, change)
}

const CHECKS: Record<Outcome, (mode: Mode, policy: SchemaPolicy, change: Change) => Promise<void>> = {
  made: async (mode, policy, change) => {
    const block = await loadFirst(mode, policy)
    give(change.fields, [change.row])
    const { lines } = await block.run()
    expect(
      lines.some((line) => /^INFO .*(new column|becomes|no longer has)/.test(line)),
      'the log tells it',
    ).toBe(true)
    await expectMade(block, mode, change)
  },
  asks: expectDecided,
  fails: async (mode, policy, change) => {
    const block = await loadFirst(mode, policy)
    give(change.fields, [change.row])
    const fault = await findFault(block)
    expect(fault).toMatchObject({ kind: 'schema_changed', question: undefined })
    await expectUntouched(block, mode)
    give(FIELDS, [NEXT])
    await block.run()
    expect(await readRows(), 'it goes on once the source is as it was').toEqual(expected(mode, STORED))
  },
  stops: async (mode, policy, change) => {
    const block = await loadFirst(mode, policy)
    give(change.fields, [change.row])
    expect(await findFault(block)).toMatchObject({ kind: 'configuration', question: undefined })
    await expectUntouched(block, mode)
  },
}

describe.each(MODES)('$strategy, data model $hasModel', (mode) => {
  describe.each(SCHEMA_POLICIES)('%s', (policy) => {
    test.each(CHANGES)('$name', async (change) => {
      await CHECKS[outcomeIn(mode, change)[policy]](mode, policy, change)
    })
    test('a column that is back again', async () => {
      const block = await loadFirst(mode, policy)
      give(without(FIELDS, 'note'), [NEXT])
      if (policy === 'evolve') await block.run()
      else {
        const fault = await findFault(block)
        if (policy === 'ask') await block.run({ request: answerAll(fault, 'change') })
      }
      give(FIELDS, [{ ...NEXT, id: 4, amount: 40 }])
      await block.run()
      expect(await readColumns()).toEqual(COLUMNS)
      expect((await readRows()).at(-1)).toEqual({ ...STORED, id: '4', amount: '40' })
    })
  })
})

test.each(WRITE_STRATEGIES)(
  '%s: a view that holds the column is named in the question, until it is dropped',
  async (strategy) => {
    const block = await loadFirst({ strategy, hasModel: false }, 'evolve')
    await workspace.sql('create view data.totals as select sum(amount) from data.ledger')
    give(retyped('amount', 'decimal'), [{ ...NEXT, amount: '30.5' }])
    const fault = await findFault(block)
    expect(fault.advice).toContain('The view data.totals uses amount')
    expect(fault.question?.table).toEqual({ schema: 'data', table: 'ledger' })
    expect(fault.question?.changes).toMatchObject([{ id: 'widen:amount:decimal', held: { column: 'amount' } }])
    const again = await block.run({ request: answerAll(fault, 'change') }).catch((error: unknown) => error)
    expect(again, 'accepting alone does not do it').toMatchObject({ question: fault.question })
    await workspace.sql('drop view data.totals')
    await block.run({ request: answerAll(fault, 'change') })
    expect((await readColumns())['amount']).toBe('numeric')
  },
)

test.each(WRITE_STRATEGIES)(
  '%s: a view on other columns does not keep the type of one it does not use',
  async (strategy) => {
    const block = await loadFirst({ strategy, hasModel: false }, 'evolve')
    await workspace.sql('create view data.notes as select id, note from data.ledger')
    await workspace.sql('create view data.counted as select count(*) from data.ledger')
    give(retyped('amount', 'decimal'), [{ ...NEXT, amount: '30.5' }])
    await block.run()
    expect((await readColumns())['amount']).toBe('numeric')
    expect((await readRows()).at(-1)).toMatchObject({ amount: '30.5' })
    expect(await workspace.sql('select count(*) from data.notes')).toEqual(await workspace.sql('table data.counted'))
    await workspace.sql('drop view data.notes, data.counted')
  },
)

test('what a run changes by itself is alerted; what somebody decided on is not', async () => {
  const block = await loadFirst({ strategy: 'Upsert', hasModel: true }, 'evolve')
  const { id: runId } = await addRun(app, block.code, { status: 'RUNNING' })
  const alerts = { emails: ['team@example.com'], webhook_url: null, on_failure: true }
  await app.database.pool.query('update dataflows set alerts = alerts || $1', [alerts])
  give([...retyped('rate', 'integer'), field('extra', 'text')], [{ ...NEXT, rate: 2, extra: 'new' }])
  const fault = await findFault(block)
  await block.run({ runId, request: answerAll(fault, 'change') })
  const told = await app.database.db.selectFrom('sent_alerts').select(['kind', 'detail']).execute()
  expect(told).toEqual([{ kind: 'columns_changed', detail: 'The source has a new column extra (text).' }])

  give([...without(retyped('rate', 'integer'), 'note'), field('extra', 'text')], [{ ...NEXT, rate: 2, extra: 'new' }])
  await block.publish((write) => ({ ...write, schema_policy: 'ask' }))
  const { id } = await addRun(app, block.code, { status: 'RUNNING' })
  await block.run({ runId: id, request: answerAll(await findFault(block), 'change') })
  expect(await app.database.db.selectFrom('sent_alerts').select('run_id').execute()).toHaveLength(1)
})
