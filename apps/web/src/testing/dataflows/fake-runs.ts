import type { Message } from '@trellis/contract/ai/ai.schemas'
import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import type { DataflowEvent, LogEvent, TaskRun, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import type { QuarantinedRow } from '@trellis/contract/runs/runs.schemas'
import type { LogLine } from '@trellis/contract/runs/runs.schemas'
import type { Overrides } from '@trellis/contract/runs/versions.schemas'
import type { Simulation, TriggerStatus } from '@trellis/contract/runs/trigger-status.schemas'
import type * as z from 'zod/mini'

type Line = z.infer<typeof LogLine>
type BadRow = z.infer<typeof QuarantinedRow>

export interface FakeRuns {
  list: TaskRunDetails[]
  logs: Record<string, Line[]>
  quarantine: BadRow[]
  comparisons: Comparison[]
  overrides: z.infer<typeof Overrides>
  triggers: TriggerStatus
  simulation: z.infer<typeof Simulation>
  listeners: Set<(event: DataflowEvent | LogEvent | Message) => void>
}

const MINUTE = 60_000
const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

export const NO_COUNTERS = {
  rows_read: 0,
  rows_written: 0,
  rows_updated: 0,
  rows_rejected: 0,
  bytes: 0,
  rows_per_second: 0,
  peak_memory_bytes: 0,
}

export function fakeRun(code: string, more: Partial<TaskRunDetails> = {}): TaskRunDetails {
  return {
    task_run_trellis_code: code,
    task_block_trellis_code: 'b-orders',
    dataflow_trellis_code: 'd-revenue',
    flow_run_trellis_code: `f-${code}`,
    block_name: 'Shop orders',
    kind: 'Source',
    status: 'SUCCESS',
    waiting_for: null,
    started_by: 'schedule',
    who: null,
    because: 'Every hour at minute 5',
    nominal_at: at(-60),
    due_at: at(-60),
    started_at: at(-60),
    finished_at: at(-58),
    retry_at: null,
    counters: { ...NO_COUNTERS, rows_read: 1204, rows_written: 1200, bytes: 2_400_000, rows_per_second: 10_240 },
    problem: null,
    can_retry: false,
    can_cancel: false,
    version: 3,
    is_shadow: false,
    version_number: 2,
    undo: null,
    attempts: [
      { number: 1, status: 'SUCCESS', started_at: at(-60), finished_at: at(-58), worker: 'w-1', message: null },
    ],
    receipts: [],
    upstream: [],
    downstream: [],
    ...more,
  }
}

function createDayOfRuns(): TaskRunDetails[] {
  const hours = Array.from({ length: 14 }, (_, hour) =>
    fakeRun(`r-orders-${hour}`, {
      due_at: at(-65 - hour * 60),
      nominal_at: at(-65 - hour * 60),
      started_at: at(-64.9 - hour * 60),
      finished_at: at(-40 - hour * 60 + (hour % 3) * 6),
      attempts: [],
    }),
  )
  return [
    fakeRun('r-spend', {
      task_block_trellis_code: 'b-spend',
      block_name: 'Ad spend',
      status: 'RUNNING',
      due_at: at(-12),
      nominal_at: at(-12),
      started_at: at(-11),
      finished_at: null,
      can_cancel: true,
      attempts: [
        { number: 1, status: 'RUNNING', started_at: at(-11), finished_at: null, worker: 'w-1', message: null },
      ],
    }),
    fakeRun('r-roas', {
      task_block_trellis_code: 'b-roas',
      block_name: 'Daily revenue and ROAS',
      kind: 'Transformation',
      status: 'FAILED',
      started_by: 'activity',
      because: 'Clean orders and Ad spend have succeeded',
      nominal_at: null,
      due_at: at(-150),
      started_at: at(-149),
      finished_at: at(-100),
      can_retry: true,
      problem: {
        kind: 'configuration',
        message: 'The column order_total does not exist.',
        advice: 'Change the SQL of the block, publish it, and retry.',
        subtask: null,
      },
      attempts: [
        {
          number: 1,
          status: 'FAILED',
          started_at: at(-149),
          finished_at: at(-135),
          worker: 'w-1',
          message: 'Lost the line.',
        },
        {
          number: 2,
          status: 'FAILED',
          started_at: at(-115),
          finished_at: at(-100),
          worker: 'w-2',
          message: 'No such column.',
        },
      ],
      upstream: [{ task_run_trellis_code: 'r-orders-0', block_name: 'Shop orders', status: 'SUCCESS' }],
    }),
    fakeRun('r-columns', {
      status: 'FAILED',
      waiting_for: 'decision',
      due_at: at(-30),
      started_at: at(-30),
      finished_at: at(-29),
      problem: {
        kind: 'schema_changed',
        message: 'The source has a new column discount of type decimal.',
        advice: 'Accept the change or leave the column out.',
        subtask: 'Orders',
        question: {
          changes: [
            {
              id: 'add:discount',
              in_words: 'The source has a new column discount (decimal number).',
              if_kept: 'discount is left out, now and in later runs.',
            },
          ],
          can_keep: true,
          decision: null,
        },
      },
    }),
    fakeRun('r-orders', {
      due_at: at(-26),
      started_at: at(-26),
      finished_at: at(-24),
      counters: {
        rows_read: 48_210,
        rows_written: 41_200,
        rows_updated: 7007,
        rows_rejected: 3,
        bytes: 92_000_000,
        rows_per_second: 38_100,
        peak_memory_bytes: 96_000_000,
      },
      receipts: [
        {
          subtask: 'Orders',
          schema_name: 'shop',
          table_name: 'orders',
          load_id: '4b8de6f0-0000-4000-8000-000000000001',
          window: { from: '2026-11-14', to: '2026-11-15' },
          rows_at_source: 48_207,
          rows_at_destination: 48_207,
          rows_rejected: 0,
          rows_merged: 0,
          key_hash_at_source: 'a81f03c9',
          key_hash_at_destination: 'a81f03c9',
          is_whole: true,
          can_undo: true,
          undone_at: null,
        },
      ],
    }),
    ...hours,
  ]
}

const line = (number: number, level: Line['level'], message: string): Line => ({
  number,
  at: at(-26 + number / 60),
  level,
  attempt: 1,
  subtask: number % 5 === 0 ? 'Orders' : null,
  message,
})

export function fakeLog(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    if (number === 40) return line(number, 'ERROR', 'ERROR 42703: the column order_total does not exist')
    if (number % 12 === 0) return line(number, 'WARNING', `The platform asked for a pause of ${number} s`)
    if (number % 4 === 0) return line(number, 'DEBUG', `GET /orders?page=${number} 200 in 81 ms`)
    return line(number, 'INFO', `Read page ${number}: 500 rows, ${number * 500} in all`)
  })
}

const badRow = (row: number, column: string, value: string): BadRow => ({
  load_id: '4b8de6f0-0000-4000-8000-000000000001',
  subtask: 'Orders',
  row,
  line: row,
  raw: null,
  column,
  value,
  reason: `“${value}” is no ${column === 'total' ? 'number' : 'date'}.`,
  values: {
    id: String(row),
    total: column === 'total' ? value : '12.50',
    ordered_on: column === 'ordered_on' ? value : '2026-11-14',
  },
  state: 'waiting',
})

function planned(): FakeRuns['simulation']['runs'] {
  return Array.from({ length: 60 }, (_, day) =>
    [6, 18].map((hour) => {
      const when = new Date(Date.now() + (day + 1) * 1440 * MINUTE)
      const local = `${when.toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:05:00`
      return {
        task_block_trellis_code: hour === 6 ? 'b-orders' : 'b-spend',
        at: `${local}.000Z`,
        local,
        because: 'Every day at 06:05 and 18:05',
        is_queued: day === 3 && hour === 18,
      }
    }),
  ).flat()
}

const fakeComparison: Comparison = {
  subtask: 'Orders',
  schema_name: 'data',
  table_name: 'orders',
  strategy: 'Replace',
  has_table: true,
  key: ['id'],
  added: 120,
  changed: 34,
  gone: 6,
  same: 48_040,
  rejected: 2,
  changed_columns: [{ name: 'total', rows: 34 }],
  columns: ['id', 'customer', 'total'],
  sample: [
    { change: 'changed', before: ['17', 'c-204', '12.50'], after: ['17', 'c-204', '12.90'] },
    { change: 'added', before: null, after: ['48208', 'c-11', null] },
    { change: 'gone', before: ['3', 'c-7', '4.00'], after: null },
  ],
  misfits: [{ row: 91, column: 'total', value: 'n/a', reason: 'This is no number.' }],
  notes: ['The column total becomes decimal.'],
}

export function createRuns(change: Partial<FakeRuns> = {}): FakeRuns {
  return {
    list: createDayOfRuns(),
    logs: { 'r-orders': fakeLog(400), 'r-spend': fakeLog(30), 'r-roas': fakeLog(60) },
    quarantine: [badRow(17, 'total', 'n/a'), badRow(108, 'ordered_on', '31.02.2026'), badRow(940, 'total', '12,50 €')],
    comparisons: [fakeComparison],
    overrides: {
      elements: [],
      can_window: true,
      cursors: [{ subtask: 'Orders', value: at(-26), is_gap_free_up_to: '2026-11-15T06:05:00.000Z', slot: null }],
    },
    triggers: {
      scope: 'And',
      in_words: 'Runs when Clean orders and Ad spend have both succeeded.',
      is_published: true,
      branches: [
        {
          action_id: 'a-1',
          kind: 'Activity',
          label: 'Clean orders has succeeded',
          has_arrived: true,
          since: at(-50),
          waiting: 2,
        },
        {
          action_id: 'a-2',
          kind: 'Activity',
          label: 'Ad spend has succeeded',
          has_arrived: false,
          since: at(-150),
          waiting: 0,
        },
      ],
      next_due: [{ at: at(300), local: '2026-11-16 06:05', offset: '+01:00', in_words: 'Monday 16 November at 06:05' }],
      last_tick: {
        nominal_at: at(-65),
        has_fired: false,
        in_words: 'A run was still going on, and this block leaves out what is due meanwhile.',
        task_run_trellis_code: null,
      },
    },
    simulation: {
      from: at(0),
      to: at(60 * 1440),
      runs: planned(),
      is_cut: false,
      clock_changes: [
        {
          at: at(20 * 1440),
          zone: 'Europe/Berlin',
          in_words: 'At 03:00 the clocks go back to 02:00: 02:05 comes once.',
        },
      ],
    },
    listeners: new Set(),
    ...change,
  }
}

export function toTaskRun({
  attempts: _a,
  receipts: _r,
  upstream: _u,
  downstream: _d,
  ...run
}: TaskRunDetails): TaskRun {
  return run
}
