import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { Dataflow, Folder } from '@trellis/contract/dataflows/dataflows.schemas'
import type {
  BlockCard,
  Canvas,
  DestinationSettings,
  SourceSettings,
  TransformationSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import type { InboundWebhook } from '@trellis/contract/runs/inbound-webhooks.schemas'
import { connectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { NO_TRIGGER, type TriggerForm } from '@trellis/contract/dataflows/triggers'
import { daysFromNow } from '../fake-company.ts'

export type FakeSettings = SourceSettings | TransformationSettings | DestinationSettings
export type FakeBlock = Omit<BlockCard, 'waits_for' | 'trigger_scope' | 'has_schedule' | 'trigger_in_words'> & {
  settings: FakeSettings
  isDeleted: boolean
}

export interface FakeDataflows {
  folders: Folder[]
  list: (Dataflow & { isDeleted: boolean })[]
  blocks: FakeBlock[]
  groups: (Canvas['groups'][number] & { dataflow: string })[]
  webhooks: Map<string, InboundWebhook>
  importProblems: { line: number | null; message: string }[]
}

const common = (trigger: TriggerForm) => ({ trigger, attempts: 3, most_minutes: 60, integration_trellis_code: null })

export function fakeSettings(kind: ActivityKind, given: Partial<FakeSettings> = {}): FakeSettings {
  const trigger = given.trigger ?? NO_TRIGGER
  if (kind === 'Source') return { ...common(trigger), subtasks: [], ...given } as SourceSettings
  if (kind === 'Transformation')
    return {
      ...common(trigger),
      language: 'sql',
      code: '',
      input: null,
      write: null,
      packages: [],
      ...given,
    } as TransformationSettings
  return {
    ...common(trigger),
    input: null,
    query: {},
    strategy: 'Append',
    dataModel: null,
    ...given,
  } as DestinationSettings
}

export function fakeDataflow(code: string, name: string, more: Partial<Dataflow> = {}): FakeDataflows['list'][number] {
  return {
    trellis_code: code,
    name,
    folder_trellis_code: null,
    order: 0,
    status: 'SUCCESS',
    block_count: 0,
    has_unpublished: false,
    is_live: true,
    is_paused: false,
    last_run: null,
    next_due_at: null,
    recent: [],
    updated_at: daysFromNow(-1),
    updated_by: 'Ada Lovelace',
    description: '',
    alerts: { emails: [], webhook_url: null, on_failure: true, on_recovery: false, on_later_than_usual: false },
    misfire: 'latest',
    overlap: 'queue',
    created_at: daysFromNow(-30),
    created_by: 'Ada Lovelace',
    isDeleted: false,
    ...more,
  }
}

interface FakeBlockFacts extends Partial<FakeBlock> {
  kind: ActivityKind
  name: string
  x: number
  y: number
  waitsFor?: string[]
  isAll?: boolean
}

export function fakeBlock(code: string, facts: FakeBlockFacts): FakeBlock {
  const { x, y, waitsFor = [], isAll = false, ...more } = facts
  const trigger = waitsFor.reduce((form, from) => connectActivity(form, from, `to-${from}`), NO_TRIGGER)
  const scoped = isAll ? { ...trigger, eventEvaluationType: 'And' as const } : trigger
  return {
    task_block_trellis_code: code,
    dataflow_trellis_code: 'd-revenue',
    metadata: { x, y, group_trellis_code: null, note: '' },
    status: 'SUCCESS',
    platform_trellis_code: null,
    platform_icon: null,
    integration_name: null,
    publish_state: 'published',
    faults: [],
    version: 1,
    published_version: 1,
    published_number: 1,
    last_run: { task_run_trellis_code: `r-${code}`, status: 'SUCCESS', waiting_for: null, at: daysFromNow(-0.02) },
    next_due_at: daysFromNow(0.4),
    updated_at: daysFromNow(-1),
    updated_by: 'Ada Lovelace',
    isDeleted: false,
    ...more,
    settings: more.settings ?? fakeSettings(facts.kind, { trigger: scoped }),
  }
}

const recent = (fails: readonly number[]) =>
  Array.from({ length: 14 }, (_, at) => ({
    day: daysFromNow(at - 13).slice(0, 10),
    succeeded: 3 + ((at * 5) % 4),
    failed: fails.includes(at) ? 2 : 0,
  }))

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#2f6792" d="M4 6c0-2 4-3 8-3s8 1 8 3v12c0 2-4 3-8 3s-8-1-8-3z"/></svg>'

function revenueBlocks(): FakeBlock[] {
  const from = { platform_trellis_code: 'postgresql', platform_icon: ICON, integration_name: 'Shop database' }
  return [
    fakeBlock('b-orders', { kind: 'Source', name: 'Shop orders', x: 0, y: 0, ...from }),
    fakeBlock('b-spend', {
      kind: 'Source',
      name: 'Ad spend',
      x: 0,
      y: 160,
      ...from,
      integration_name: 'Google Ads',
      status: 'RUNNING',
      last_run: { task_run_trellis_code: 'r-spend', status: 'RUNNING', waiting_for: null, at: daysFromNow(0) },
    }),
    fakeBlock('b-clean', {
      kind: 'Transformation',
      name: 'Clean orders',
      x: 336,
      y: 0,
      waitsFor: ['b-orders'],
      publish_state: 'changed',
      next_due_at: null,
    }),
    fakeBlock('b-roas', {
      kind: 'Transformation',
      name: 'Daily revenue and ROAS',
      x: 672,
      y: 80,
      waitsFor: ['b-clean', 'b-spend'],
      isAll: true,
      status: 'FAILED',
      last_run: { task_run_trellis_code: 'r-roas', status: 'FAILED', waiting_for: null, at: daysFromNow(-0.5) },
      next_due_at: null,
    }),
    fakeBlock('b-out', {
      kind: 'Destination',
      name: 'Send to the finance sheet',
      x: 1008,
      y: 80,
      waitsFor: ['b-roas'],
      status: 'SETUP_INCOMPLETE',
      publish_state: 'incomplete',
      published_version: null,
      published_number: null,
      faults: [
        { kind: 'missing', path: 'input', message: 'Choose what to send' },
        { kind: 'missing', path: 'integration_trellis_code', message: 'Choose a connection' },
      ],
      last_run: null,
      next_due_at: null,
    }),
  ]
}

export function createDataflows(): FakeDataflows {
  const run = (state: 'succeeded' | 'failed' | 'running', days: number) => ({
    flow_run_trellis_code: 'f-1',
    state,
    at: daysFromNow(days),
    started_at: daysFromNow(days - 0.001),
    finished_at: state === 'running' ? null : daysFromNow(days),
  })
  return {
    folders: [
      { trellis_code: 'f-marketing', name: 'Marketing', parent_trellis_code: null, order: 0 },
      { trellis_code: 'f-ads', name: 'Advertising', parent_trellis_code: 'f-marketing', order: 0 },
      { trellis_code: 'f-finance', name: 'Finance', parent_trellis_code: null, order: 1 },
    ],
    list: [
      fakeDataflow('d-revenue', 'Revenue and ROAS', {
        folder_trellis_code: 'f-finance',
        status: 'FAILED',
        block_count: 5,
        has_unpublished: true,
        last_run: run('failed', -0.5),
        next_due_at: daysFromNow(0.4),
        recent: recent([3, 12, 13]),
      }),
      fakeDataflow('d-ads', 'Ads every hour', {
        folder_trellis_code: 'f-ads',
        status: 'RUNNING',
        block_count: 12,
        last_run: run('running', 0),
        next_due_at: daysFromNow(0.03),
        recent: recent([]),
      }),
      fakeDataflow('d-crm', 'Contacts from the CRM', {
        folder_trellis_code: 'f-marketing',
        block_count: 3,
        is_paused: true,
        last_run: run('succeeded', -3),
        recent: recent([1]),
      }),
      fakeDataflow('d-new', 'Stock levels', { status: 'SETUP_INCOMPLETE', has_unpublished: true }),
    ],
    blocks: revenueBlocks(),
    groups: [],
    webhooks: new Map(),
    importProblems: [],
  }
}
