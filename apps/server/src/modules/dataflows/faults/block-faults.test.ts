import type { Connector } from '@trellis/connector-kit/connector'
import { PRIMARY_KEY_MESSAGE } from '@trellis/contract/dataflows/dataflow-words'
import { emptySchedule } from '@trellis/contract/dataflows/schedules'
import type { Action, TriggerForm } from '@trellis/contract/dataflows/triggers'
import { ACTIVITY_GONE_MESSAGE, NO_TRIGGER } from '@trellis/contract/dataflows/triggers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCatalogue } from '../../../platform/connectors/catalogue.ts'
import { CONNECTORS } from '@trellis/connectors/registry'
import type { BlockConnection } from '../../integrations/connection/block-connections.service.ts'
import { type Settings, startSettings } from '@trellis/contract/dataflows/start-settings'
import { ordersFrom, writeTo } from '../testing/flows.ts'
import { findBlockFaults } from './block-faults.ts'
import type { Fault, FaultFacts } from './fault.ts'

const platforms = openCatalogue(CONNECTORS)
const connection = (code: string, platform: string, more: Partial<BlockConnection> = {}) => {
  const connector = platforms.find(platform) as Connector
  const known = { id: 1, code, name: code, state: 'ACTIVE', isManaged: false, icon: null } as const
  return [code, { ...known, platformCode: platform, connector, ...more }] as const
}
const facts: FaultFacts = {
  connections: new Map([
    connection('w-db', 'trellis_database', { id: null, isManaged: true }),
    connection('shop', 'sample_data'),
    connection('hub', 'hubspot'),
    connection('new', 'sample_data', { state: 'SETUP' }),
    connection('checked', 'sample_data', { state: 'VALIDATING' }),
    connection('broken', 'sample_data', { state: 'ERROR' }),
    connection('ads', 'google_ads'),
    connection('sheet', 'google_sheets'),
    connection('warehouse', 'postgresql'),
  ]),
  activities: ['orders', 'customers'],
  today: '2026-11-15',
}

const source = (change: object = {}) =>
  ({ ...startSettings('Source', 'w-db'), ...ordersFrom('shop'), ...change }) as Settings
const model = (change: object = {}) => ({
  fields: { order_id: 'integer', total: 'decimal' },
  column_mapping: {},
  primary_keys: ['order_id'],
  indexes: {},
  ...change,
})
const subtask = (change: object = {}) => ({
  name: 'orders',
  query: { data: { stream: 'orders' } },
  is_incremental: false,
  write: writeTo('orders'),
  ...change,
})
const ofSubtask = (change: object) => source({ subtasks: [subtask(change)] })
const withModel = (dataModel: object | null, strategy = 'Append') =>
  ofSubtask({ write: writeTo('orders', { strategy, dataModel }) })
const sqlBlock = (change: object = {}) =>
  ({ ...startSettings('Transformation', 'w-db'), code: 'select 1', ...change }) as Settings
const javascript = (change: object = {}) =>
  sqlBlock({
    language: 'javascript',
    code: 'export default (rows) => rows',
    input: { schema_name: 'data', table_name: 'orders' },
    write: writeTo('clean'),
    ...change,
  })
const destination = (change: object = {}) =>
  ({
    ...startSettings('Destination', 'w-db'),
    integration_trellis_code: 'warehouse',
    input: { schema_name: 'data', table_name: 'orders' },
    query: { target: { schema: { schema: 'public' }, table: 'orders' } },
    ...change,
  }) as Settings

const trigger = (eventEvaluationType: 'Or' | 'And', ...actions: object[]): { trigger: TriggerForm } => ({
  trigger: {
    eventEvaluationType,
    actions: Object.fromEntries(actions.map((action, order) => [`a${order}`, { ...action, order } as Action])),
    isFormaComplete: false,
  },
})
const activity = (code: string) => ({ action: 'Activity', actionValue: { taskBlockTrellisCode: code } })
const nothingChosen = { action: 'Schedule', actionValue: emptySchedule('') }
const cron = (cronExpression: string) => ({
  action: 'Schedule',
  actionValue: { scheduleType: 'Cron Schedule', scheduleArgs: { cronExpression, timeStandard: 'UTC' } },
})

const toKind = (settings: Settings) =>
  'subtasks' in settings ? 'Source' : 'language' in settings ? 'Transformation' : 'Destination'
const findFaults = (settings: Settings): Fault[] => findBlockFaults(toKind(settings), settings, facts)
const shown = (settings: Settings) =>
  findFaults(settings).map(({ kind, path, message }) => `${kind} ${path}: ${message}`)

test.each([
  ['a source', source()],
  ['a source with a key', withModel(model(), 'Upsert')],
  ['SQL that writes by itself', sqlBlock()],
  ['SQL into a table', sqlBlock({ write: writeTo('daily') })],
  ['JavaScript', javascript()],
  ['a destination', destination()],
  ['one that waits for another', sqlBlock(trigger('And', activity('orders'), cron('0 6 * * ? *')))],
  ['one with a card left empty', sqlBlock(trigger('Or', activity('orders'), nothingChosen))],
])('nothing is to be mended in %s', (_, settings) => {
  expect(shown(settings)).toEqual([])
})

const GONE = 'invalid integration_trellis_code: This connection is no longer there. Choose another one.'
const CASES: Record<string, [Settings, string[]]> = {
  'nothing chosen at all': [
    startSettings('Source', 'w-db'),
    ['missing integration_trellis_code: Choose a connection.', 'missing subtasks: Add something to read.'],
  ],
  'a connection that is gone': [source({ integration_trellis_code: 'gone' }), [GONE]],
  'a connection that is not set up': [
    source({ integration_trellis_code: 'new' }),
    ['invalid integration_trellis_code: The connection "new" is not set up completely. Finish it first.'],
  ],
  'a connection that is being checked': [
    source({ integration_trellis_code: 'checked' }),
    ['invalid integration_trellis_code: The connection "checked" is being checked. Wait until that is done.'],
  ],
  'a connection that does not work': [
    source({ integration_trellis_code: 'broken' }),
    ['invalid integration_trellis_code: The connection "broken" does not work. Fix it first.'],
  ],
  'a query that is not filled in': [
    ofSubtask({ query: {} }),
    ['missing subtasks.0.query.data.stream: What to read: Required field'],
  ],
  'a query of the wrong kind': [
    ofSubtask({ query: { data: { stream: 7 } } }),
    ['invalid subtasks.0.query.data.stream: What to read: Choose from the list.'],
  ],
  'no table to write to': [ofSubtask({ write: null }), ['missing subtasks.0.write: Say which table the rows go to.']],
  'a key that is missing': [
    withModel(null, 'Upsert'),
    [`missing subtasks.0.write.dataModel.primary_keys: ${PRIMARY_KEY_MESSAGE}`],
  ],
  'a model without a key': [
    withModel(model({ primary_keys: [] }), 'Upsert'),
    [`missing subtasks.0.write.dataModel.primary_keys: ${PRIMARY_KEY_MESSAGE}`],
  ],
  'a key that is no field': [
    withModel(model({ primary_keys: ['id'] }), 'Upsert'),
    ['invalid subtasks.0.write.dataModel.primary_keys: The key "id" is not among the fields.'],
  ],
  'an index on nothing': [
    withModel(model({ indexes: { when: 'btree' } })),
    ['invalid subtasks.0.write.dataModel.indexes: The field "when" has an index but is not among the fields.'],
  ],
  'no fields': [
    withModel(model({ fields: {}, primary_keys: [] })),
    ['missing subtasks.0.write.dataModel.fields: Choose at least one field.'],
  ],
  'two fields of one name': [
    withModel(model({ column_mapping: { total: 'order_id' } })),
    [
      'invalid subtasks.0.write.dataModel.column_mapping.total: "order_id" and "total" would both be called "order_id". Rename one of them.',
    ],
  ],
  'a column name that Postgres would cut': [
    withModel(model({ column_mapping: { total: 'x'.repeat(64) } })),
    [
      'invalid subtasks.0.write.dataModel.column_mapping.total: The column of "total": Column name must be at most 63 bytes long',
    ],
  ],
  'two subtasks of one name': [
    source({ subtasks: [subtask(), subtask({ write: writeTo('others') })] }),
    ['invalid subtasks.1.name: There are two subtasks called "orders".'],
  ],
  'two subtasks into one table': [
    source({ subtasks: [subtask(), subtask({ name: 'more' })] }),
    ['invalid subtasks.1.write.table_name: "orders" and "more" both write to data.orders. Give each its own table.'],
  ],
  'no SQL': [sqlBlock({ code: '  \n' }), ['missing code: Write the SQL.']],
  'no function': [javascript({ code: '' }), ['missing code: Write the function.']],
  'JavaScript that reads and writes nothing': [
    javascript({ input: null, write: null }),
    ['missing input: Choose the table or write the query it reads.', 'missing write: Say which table the rows go to.'],
  ],
  'an empty query to read': [javascript({ input: { sql: ' ' } }), ['missing input.sql: Write the query it reads.']],
  'SQL elsewhere': [
    sqlBlock({ integration_trellis_code: 'warehouse' }),
    ['invalid integration_trellis_code: A transformation runs in the database of the workspace, not in "warehouse".'],
  ],
  'a strategy that is not offered': [
    destination({
      integration_trellis_code: 'sheet',
      query: { sheet: { name: 'Orders' } },
      strategy: 'Upsert',
      dataModel: model(),
    }),
    ['invalid strategy: Google Sheets does not offer Upsert. Choose Append or Replace.'],
  ],
  'a destination that only reads': [
    destination({ integration_trellis_code: 'hub' }),
    ['invalid integration_trellis_code: "hub" can not be written to. Choose another connection.'],
  ],
  'a destination without a key': [
    destination({ strategy: 'Upsert' }),
    [`missing dataModel.primary_keys: ${PRIMARY_KEY_MESSAGE}`],
  ],
  'a trigger that is gone': [
    sqlBlock(trigger('Or', activity('gone'))),
    [`invalid trigger.actions.a0.taskBlockTrellisCode: Trigger 1: ${ACTIVITY_GONE_MESSAGE}`],
  ],
  'all of two, one empty': [
    sqlBlock(trigger('And', activity('orders'), nothingChosen)),
    ['missing trigger.actions.a1.scheduleType: Trigger 2: Required field'],
  ],
  'any of nothing': [
    sqlBlock(trigger('Or', nothingChosen)),
    ['missing trigger.actions: Fill in at least one action of the trigger.'],
  ],
  'a wrong cron': [
    sqlBlock(trigger('Or', cron('60 6 * * ? *'))),
    ['invalid trigger.actions.a0.cronExpression: Trigger 1: Minute must be between 0 and 59, or *'],
  ],
}

describe.each(Object.entries(CASES))('%s', (_, [settings, expected]) => {
  test('is named with its place', () => expect(shown(settings)).toEqual(expected))
})

test('a query in a language of its own is judged by line and column', () => {
  const [fault] = findFaults(
    source({
      integration_trellis_code: 'ads',
      subtasks: [subtask({ query: gaql('SELECT campaign.nothing FROM campaign') })],
    }),
  )
  expect(fault).toMatchObject({ kind: 'invalid', path: 'subtasks.0.query.monacoGaql.editor' })
  expect(fault?.message).toMatch(/line 1/i)
})
const gaql = (editor: string) => ({
  monacoGaql: { editor },
  dates: { range: { dataTimeframe: 'startingDate', startDate: '2026-01-01', endDate: null } },
})

test('faults never contradict completeness of the trigger, whatever the form', () => {
  const action = fc.oneof(
    fc.constantFrom('orders', 'customers', 'gone', '').map((code) => activity(code)),
    fc.constantFrom('0 6 * * ? *', '', 'x').map((text) => cron(text)),
    fc.constant(nothingChosen),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('Or' as const, 'And' as const),
      fc.array(action, { maxLength: 4 }),
      (scope, actions) => {
        const form = trigger(scope, ...actions)
        const paths = findFaults(sqlBlock(form)).map(({ path }) => path)
        const ids = Object.keys(form.trigger.actions).map((id) => `trigger.actions.${id}.`)
        expect(paths.every((path) => path === 'trigger.actions' || ids.some((id) => path.startsWith(id)))).toBe(true)
        const isRight = ({ action: type, actionValue }: Action) =>
          type === 'Activity'
            ? facts.activities.includes(actionValue.taskBlockTrellisCode)
            : actionValue.scheduleType === 'Cron Schedule' && actionValue.scheduleArgs.cronExpression === '0 6 * * ? *'
        const isEmpty = ({ action: type, actionValue }: Action) =>
          type === 'Activity' ? actionValue.taskBlockTrellisCode === '' : actionValue.scheduleType === ''
        const all = Object.values(form.trigger.actions)
        const isComplete =
          all.length === 0 ||
          (scope === 'And'
            ? all.every(isRight)
            : all.some(isRight) && all.every((item) => isRight(item) || isEmpty(item)))
        expect(paths.length === 0).toBe(isComplete)
      },
    ),
  )
  expect(shown(sqlBlock({ trigger: NO_TRIGGER }))).toEqual([])
})
