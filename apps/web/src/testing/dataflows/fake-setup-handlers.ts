import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { findScheduleProblems, type ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'
import type { FakeSettings } from './fake-dataflows.ts'

const FAKE_MODEL: SourceDataModel = {
  fields: { order_id: 'integer', placed_at: 'timestamptz', amount: 'decimal' },
  column_mapping: {},
  primary_keys: [],
  indexes: {},
}

function getBlock(world: FakeWorld, params: Record<string, string>) {
  const block = world.dataflows.blocks.find(
    (candidate) => candidate.task_block_trellis_code === params['task_block_trellis_code'],
  )
  if (!block) throw new FakeError('not_found')
  return block
}

/** Draft versions have gaps: every change counts. */
const createVersion = (settings: FakeSettings, number: number, more: object = {}) => ({
  version: number * 10,
  number,
  published_at: '2026-03-01T08:00:00.000Z',
  published_by: 'Grace Hopper',
  message: '',
  is_live: false,
  settings,
  ...more,
})

const platformsWith =
  (tag: 'source' | 'destination'): Handler =>
  (world) =>
    world.integrations.platforms.filter((platform) => platform.tags.includes(tag))

const listIntegrations: Handler = (world, { params }) =>
  world.integrations.list.filter((integration) => integration.platform_trellis_code === params['id'])

export const setupHandlers: Record<string, Handler> = {
  getPreviousBlocks: (world, { params }) => {
    const block = getBlock(world, params)
    return {
      can_wait_for: world.dataflows.blocks.filter(
        (other) => other !== block && other.kind === 'Source' && !other.isDeleted,
      ),
      writes: [{ task_block_trellis_code: 'b-orders', schema_name: 'public', table_name: 'orders', exists: false }],
    }
  },
  previewDueTimes: (_world, { body }) => {
    const { schedule } = body as { schedule: ScheduleValue }
    if (Object.keys(findScheduleProblems(schedule)).length > 0) throw new FakeError('invalid_request')
    return {
      in_words: `As the ${schedule.scheduleType.toLowerCase()} says`,
      next_due: [
        {
          at: '2026-03-02T06:00:00.000Z',
          local: '2026-03-02 06:00',
          offset: 'UTC+00:00',
          in_words: 'Monday, 2 March 2026 at 06:00',
        },
      ],
      end: null,
    }
  },
  planPublish: (world, { params }) => ({
    version: getBlock(world, params).version,
    changes: [{ path: 'attempts', label: 'Attempts', before: '3', after: '5' }],
    statements: ['CREATE TABLE public.orders (order_id bigint)'],
    misfits: [{ column: 'amount', rows: 12, example: 'n/a' }],
    readers: [{ kind: 'view', name: 'daily_revenue' }],
    column_readers: [
      { table: 'public.orders', column: 'amount', change: 'type', readers: [{ kind: 'view', name: 'daily_revenue' }] },
    ],
  }),
  listBlockVersions: (world, { params }) => {
    const { settings } = getBlock(world, params)
    return [
      createVersion({ ...settings, attempts: 2 }, 2, { is_live: true, message: 'Fewer attempts' }),
      createVersion({ ...settings, attempts: 1 }, 1),
    ]
  },
  restoreBlockVersion: (world, { params, body }) => {
    const block = getBlock(world, params)
    const { version, draft_version } = body as { version: number; draft_version: number }
    if (draft_version !== block.version) throw new FakeError('conflict')
    block.settings = { ...block.settings, attempts: version / 10 } as FakeSettings
    block.version += 1
    return { done: true }
  },
  getBlockWorksheet: (world, { params }) => {
    const { settings } = getBlock(world, params)
    const link = 'language' in settings ? settings.worksheet : undefined
    if (!link) throw new FakeError('not_found')
    const commit = {
      commit_id: link.commit_id,
      message: 'Net revenue',
      author: { trellis_user_code: null, name: 'Grace Hopper' },
      committed_at: '2026-03-01T08:00:00.000Z',
    }
    const place = { folder_id: 'root', name: link.path, path: link.path }
    return { ...link, project_name: 'Reports', ...place, commit, state: settings.attempts === 1 ? 'behind' : 'latest' }
  },
  unlinkWorksheet: (world, { params, body }) => {
    const block = getBlock(world, params)
    if ((body as { version: number }).version !== block.version) throw new FakeError('conflict')
    block.settings = { ...block.settings, worksheet: undefined } as FakeSettings
    block.version += 1
    return { done: true }
  },
  updateFromWorksheet: (world, { params, body }) => {
    const block = getBlock(world, params)
    if ((body as { version: number }).version !== block.version) throw new FakeError('conflict')
    block.settings = { ...block.settings, code: 'select 2', attempts: 3 } as FakeSettings
    block.version += 1
    return { done: true }
  },
  getOverrides: () => ({ elements: [], can_window: false, cursors: [] }),
  listSourcePlatforms: platformsWith('source'),
  listDestinationPlatforms: platformsWith('destination'),
  listSourceIntegrations: listIntegrations,
  listDestinationIntegrations: listIntegrations,
  listTransformationIntegrations: (world) => world.integrations.list.filter((integration) => integration.is_managed),
  getTransformationSchema: () => ({
    schemas: [{ name: 'public', is_cut: false, tables: [{ name: 'orders', kind: 'table', rows: null }] }],
  }),
  getDestinationFormas: (world, { params }) => ({
    integration_trellis_code: params['id'],
    platform_trellis_code: 'postgresql',
    formas: world.integrations.queryFormas['postgresql'] ?? [],
  }),
  getSourceDataModel: (world, { params, query }) => {
    const { subtasks = [] } = getBlock(world, { task_block_trellis_code: params['id'] ?? '' })
      .settings as Partial<SourceSettings>
    if (!subtasks.some(({ name }) => name === query['subtask_name'])) throw new FakeError('not_found')
    return FAKE_MODEL
  },
  listPackages: () => [{ name: 'trellis/dates', version: '1.0.0', summary: 'Days, weeks and months.' }],
  sampleBlock: (world, { params }) => ({
    columns: [
      { name: 'order_id', type: 'integer' },
      { name: 'amount', type: 'decimal' },
    ],
    rows: [['1', '9.50']],
    is_cut: false,
    notes: [`Read from draft ${getBlock(world, params).version}`],
  }),
  renewAlertKey: () => ({ signature_key: '5d41402abc4b2a76b9719d911017c592' }),
  testDataflowAlerts: (world, { params }) => {
    const flow = world.dataflows.list.find((candidate) => candidate.trellis_code === params['trellis_code'])
    if (!flow) throw new FakeError('not_found')
    return { results: flow.alerts.emails.map((to) => ({ to, did_succeed: true, message: 'Sent' })) }
  },
}
