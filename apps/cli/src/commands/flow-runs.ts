import {
  cancelFlowRun,
  executeDataflow,
  getFlowRun,
  getFlowRunLogs,
  listFlowRuns,
  retryFlowRun,
} from '@trellis/contract/runs/flow-runs.endpoints'
import { FLOW_RUN_STATES, type FlowRun, type FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import { CliError, EXIT } from '../cli-error.ts'
import { type Command, argument, getFlow, table, textFlag } from '../context.ts'

const POLL_MS = 700
const LINES_AT_ONCE = 1000

/** Runs a dataflow from the blocks that wait for no other. */
export async function runFlow(command: Command): Promise<number> {
  const flow = await getFlow(command, argument(command, 0, 'dataflow'))
  const run = await command.client.call(executeDataflow, {
    params: { ...command.tenant, trellis_code: flow.trellis_code },
  })
  return await followFlowRun(command, run)
}

async function followFlowRun(command: Command, run: FlowRun): Promise<number> {
  command.print(command.flags['json'] ? JSON.stringify(run, null, 2) : run.flow_run_trellis_code)
  if (command.flags['follow']) await printFlowRunLogs(command, run.flow_run_trellis_code)
  if (command.flags['follow'] || command.flags['wait']) return await waitForFlowRun(command, run.flow_run_trellis_code)
  return EXIT.ok
}

/** Nothing when the code is not that of a flow run. */
async function ifFlowRun<T>(ask: Promise<T>): Promise<T | undefined> {
  try {
    return await ask
  } catch (error) {
    if (error instanceof CliError && error.status === 404) return undefined
    throw error
  }
}

const toParams = (command: Command, code: string) => ({ params: { ...command.tenant, flow_run_trellis_code: code } })

/** Undefined when the code is not that of a flow run. */
export async function tryCancelFlowRun(command: Command, code: string): Promise<number | undefined> {
  const run = await ifFlowRun(command.client.call(cancelFlowRun, toParams(command, code)))
  if (!run) return undefined
  command.say('The run of the whole dataflow is being stopped.')
  return EXIT.ok
}

/** Undefined when the code is not that of a flow run. */
export async function tryRetryFlowRun(command: Command, code: string): Promise<number | undefined> {
  const run = await ifFlowRun(command.client.call(retryFlowRun, toParams(command, code)))
  return run && (await followFlowRun(command, run))
}

const STATUS_WORDS: Record<string, (typeof FLOW_RUN_STATES)[number]> = { success: 'succeeded', in_progress: 'running' }

export async function printFlowRuns(command: Command): Promise<number> {
  const flow = await getFlow(command, argument(command, 0, 'dataflow'))
  const word = textFlag(command.flags, 'status')?.toLowerCase()
  const state = word === undefined ? undefined : (STATUS_WORDS[word] ?? FLOW_RUN_STATES.find((one) => one === word))
  if (word !== undefined && !state)
    throw new CliError(
      `"${word}" is not one of ${FLOW_RUN_STATES.join(', ')}. Statuses of single blocks need --blocks.`,
      EXIT.usage,
    )
  const { flow_runs: runs } = await command.client.call(listFlowRuns, {
    params: { ...command.tenant, trellis_code: flow.trellis_code },
    query: { ...(state && { state }) },
  })
  if (command.flags['json']) command.print(JSON.stringify(runs, null, 2))
  else {
    const rows = runs.map((run) => [
      run.flow_run_trellis_code,
      run.state,
      run.started_at ?? run.created_at,
      BLOCKS(run.progress),
      String(run.rows_written),
      run.because,
    ])
    const head = ['RUN', 'STATE', 'STARTED', 'BLOCKS', 'ROWS', 'TRIGGERED BY']
    for (const line of table([head, ...rows])) command.print(line)
  }
  return EXIT.ok
}

/** Until every block is over, with those it set off; what did not succeed fails the command. */
export async function waitForFlowRun(command: Command, code: string): Promise<number> {
  const params = { ...command.tenant, flow_run_trellis_code: code }
  for (;;) {
    const run = await command.client.call(getFlowRun, { params })
    if (run.state !== 'running') return report(command, run)
    await command.wait(POLL_MS)
  }
}

const BLOCKS = ({ done, total }: FlowRun['progress']) => `${done} of ${total} ${total === 1 ? 'block' : 'blocks'}`

function report(command: Command, run: FlowRunDetails): number {
  command.say(`${run.dataflow_name}: ${run.state}, ${BLOCKS(run.progress)}, ${run.rows_written} rows written`)
  const latest = new Set(run.blocks.map(({ task_run_trellis_code }) => task_run_trellis_code))
  for (const { task_run_trellis_code: own, block_name, status, problem } of run.runs) {
    if (!latest.has(own) || status === 'SUCCESS') continue
    command.say(`${block_name}: ${status}${problem ? `. ${problem.message}` : ''}`)
    if (problem?.advice) command.say(problem.advice)
  }
  return run.state === 'succeeded' ? EXIT.ok : EXIT.failed
}

/** The lines of all blocks as they are written, each with its block. */
async function printFlowRunLogs(command: Command, code: string): Promise<void> {
  const params = { ...command.tenant, flow_run_trellis_code: code }
  for (let after = ''; ;) {
    const query = { limit: LINES_AT_ONCE, ...(after !== '' && { after }) }
    const page = await command.client.call(getFlowRunLogs, { params, query })
    for (const { at, level, block_name, message } of page.lines) {
      command.print(`${at} ${level.padEnd(7)} ${block_name}: ${message}`)
    }
    if (page.is_over) return
    after = page.next
    if (page.lines.length === 0) await command.wait(POLL_MS)
  }
}
