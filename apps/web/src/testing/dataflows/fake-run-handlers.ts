import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'
import { flowRunHandlers } from './fake-flow-run-handlers.ts'
import { fakeRun, toTaskRun } from './fake-runs.ts'

const PAGE = 10

function getRun(world: FakeWorld, code: string | undefined): TaskRunDetails {
  const found = world.runs.list.find((run) => run.task_run_trellis_code === code)
  if (!found) throw new FakeError('not_found')
  return found
}

const now = () => new Date().toISOString()

export function tellRun(world: FakeWorld, code: string, change: Partial<TaskRunDetails>): void {
  const run = Object.assign(getRun(world, code), change)
  for (const listener of world.runs.listeners) listener({ type: 'run', run: toTaskRun(run) })
}

function begin(world: FakeWorld, more: Partial<TaskRunDetails>): TaskRunDetails {
  const run = fakeRun(`r-new-${world.runs.list.length}`, {
    status: 'QUEUED',
    started_by: 'person',
    who: 'Ada Lovelace',
    because: 'Ada Lovelace started it',
    nominal_at: null,
    due_at: now(),
    started_at: null,
    finished_at: null,
    can_cancel: true,
    attempts: [],
    receipts: [],
    ...more,
  })
  world.runs.list.unshift(run)
  return run
}

export const runHandlers: Record<string, Handler> = {
  listTaskRuns: (world, { params, query }) => {
    const page = Number(query['page'] ?? 1)
    const time = (run: TaskRunDetails) => run.started_at ?? run.due_at
    const all = world.runs.list.filter(
      (run) =>
        run.dataflow_trellis_code === params['trellis_code'] &&
        (query['status'] === undefined || run.status === query['status']) &&
        (query['started_by'] === undefined || run.started_by === query['started_by']) &&
        (query['task_block_trellis_code'] === undefined ||
          run.task_block_trellis_code === query['task_block_trellis_code']) &&
        (query['from'] === undefined || time(run) >= query['from']) &&
        (query['to'] === undefined || time(run) <= query['to']),
    )
    return { runs: all.slice((page - 1) * PAGE, page * PAGE).map(toTaskRun), has_more: all.length > page * PAGE }
  },
  ...flowRunHandlers,
  getTaskRun: (world, { params }) => getRun(world, params['task_run_trellis_code']),
  cancelTaskRun: (world, { params }) => {
    const problem = { kind: 'cancelled' as const, message: 'Ada Lovelace stopped it.', advice: null, subtask: null }
    const run = getRun(world, params['task_run_trellis_code'])
    return toTaskRun(Object.assign(run, { status: 'FAILED', finished_at: now(), can_cancel: false, problem }))
  },
  retryTaskRun: (world, { params }) => {
    const { task_block_trellis_code, block_name, kind } = getRun(world, params['task_run_trellis_code'])
    return toTaskRun(begin(world, { task_block_trellis_code, block_name, kind, started_by: 'retry' }))
  },
  decideSchemaChange: (world, { params, body }) => {
    const run = getRun(world, params['task_run_trellis_code'])
    const { task_block_trellis_code, block_name, kind, problem } = run
    if (problem?.question?.decision)
      throw new FakeError('conflict', { detail: 'Somebody has decided on these changes already.' })
    run.waiting_for = null
    const { choice } = body as { choice: 'accept' | 'keep' }
    if (problem?.question) problem.question.decision = { choice, who: 'Ada Lovelace', at: now() }
    return toTaskRun(begin(world, { task_block_trellis_code, block_name, kind, started_by: 'retry' }))
  },
  undoTaskRun: (world, { params }) => {
    const run = getRun(world, params['task_run_trellis_code'])
    const tables = run.receipts.length
    const begun = { tables, table: null, tables_done: 0, rows: 0, finished_at: null, problem: null }
    run.undo = { status: 'in_progress', who: 'Ada Lovelace', since: now(), ...begun }
    return run
  },
  getTaskRunLogs: (world, { params, query }) => {
    const wanted = (query['search'] ?? '').toLowerCase()
    const lines = (world.runs.logs[params['task_run_trellis_code'] ?? ''] ?? []).filter(({ message }) =>
      message.toLowerCase().includes(wanted),
    )
    return { lines, is_over: true, run_status: getRun(world, params['task_run_trellis_code']).status }
  },
  followDataflow: (world, { params }) =>
    world.runs.list
      .filter((run) => run.dataflow_trellis_code === params['trellis_code'] && run.finished_at === null)
      .map((run) => ({ type: 'run', run: toTaskRun(run) })),
  followTaskRunLogs: (world, { params, query }) => {
    const run = getRun(world, params['task_run_trellis_code'])
    const lines = (world.runs.logs[run.task_run_trellis_code] ?? []).filter(
      ({ number }) => number > Number(query['after'] ?? 0),
    )
    const over = { type: 'over', run_status: run.status }
    return [{ type: 'lines', lines }, ...(run.finished_at === null ? [] : [over])]
  },
  listComparisons: ({ runs }) => ({ comparisons: runs.comparisons }),
  listQuarantine: ({ runs }) => ({
    rows: runs.quarantine,
    next: null,
    waiting: runs.quarantine.filter(({ state }) => state === 'waiting').length,
  }),
  settleQuarantine: ({ runs }, { body }) => {
    const { choice, rows } = body as {
      choice: 'send' | 'dismiss'
      rows: { load_id: string; row: number; values?: Record<string, string> }[]
    }
    const refused = []
    for (const { row, load_id, values } of rows) {
      const bad = runs.quarantine.find((candidate) => candidate.row === row)
      if (choice === 'send' && !values)
        refused.push({ load_id, row, column: bad?.column, reason: `Still: ${bad?.reason}` })
      else if (bad) bad.state = choice === 'send' ? 'sent' : 'dismissed'
    }
    return { settled: rows.length - refused.length, refused }
  },
  getOverrides: ({ runs }) => runs.overrides,
  getTriggerStatus: ({ runs }) => runs.triggers,
  simulateTriggers: ({ runs }) => runs.simulation,
  describeDataflow: (world, { params }) => {
    const flow = world.dataflows.list.find((candidate) => candidate.trellis_code === params['trellis_code'])
    if (!flow) throw new FakeError('not_found')
    return {
      trellis_code: flow.trellis_code,
      name: flow.name,
      description: flow.description,
      blocks: world.dataflows.blocks
        .filter((block) => block.dataflow_trellis_code === flow.trellis_code)
        .map((block) => ({
          task_block_trellis_code: block.task_block_trellis_code,
          kind: block.kind,
          name: block.name,
          note: block.metadata.note,
          in_words: `Reads orders into the table shop.${block.task_block_trellis_code}.`,
          trigger_in_words: 'Every hour at minute 5',
        })),
    }
  },
}
