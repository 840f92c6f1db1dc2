import { FLOW_RUN_STATES, LOG_LEVELS } from '@trellis/contract/dataflows/dataflow-words'
import {
  cancelFlowRun,
  executeDataflow,
  getFlowRun,
  getFlowRunLogs,
  listFlowRuns,
  retryFlowRun,
} from '@trellis/contract/runs/flow-runs.endpoints'
import type { FlowRun, FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { CliError, EXIT } from '../cli-error.ts'
import { type Command, requireArgument, getFlow, formatTable, getTextFlag } from '../context.ts'

const POLL_MS = 700
const LINES_PER_PAGE = 1000

export async function runFlow(command: Command): Promise<number> {
  const flow = await getFlow(command, requireArgument(command, 0, 'dataflow'))
  const run = await command.client.call(executeDataflow, {
    params: { ...command.tenant, trellis_code: flow.trellis_code },
  })
  return await outputAndAwaitFlowRun(command, run)
}

/** Prints the run's code, log or JSON as the flags say, and waits for its end if asked to. Returns the exit code. */
async function outputAndAwaitFlowRun(command: Command, run: FlowRun): Promise<number> {
  const { follow, wait, json } = command.flags
  const flowRunCode = run.flow_run_trellis_code
  const isAwaited = follow === true || wait === true
  if (!json) command.print(flowRunCode)
  else if (!isAwaited) command.print(JSON.stringify(run, null, 2))
  if (follow) await printFlowRunLogs(command, flowRunCode)
  if (!isAwaited) return EXIT.ok
  const endedRun = await waitForEndedFlowRun(command, flowRunCode)
  if (json) command.print(JSON.stringify(endedRun, null, 2))
  return reportFlowRun(command, endedRun)
}

/** For codes that may be of a flow run or of a single block's run. */
async function ignoreNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof CliError && error.status === 404) return undefined
    throw error
  }
}

const toParams = (command: Command, flowRunCode: string) => ({
  params: { ...command.tenant, flow_run_trellis_code: flowRunCode },
})

export async function tryCancelFlowRun(command: Command, flowRunCode: string): Promise<number | undefined> {
  const run = await ignoreNotFound(command.client.call(cancelFlowRun, toParams(command, flowRunCode)))
  if (!run) return undefined
  command.say('The run of the whole dataflow is being stopped.')
  return EXIT.ok
}

export async function tryRetryFlowRun(command: Command, flowRunCode: string): Promise<number | undefined> {
  const run = await ignoreNotFound(command.client.call(retryFlowRun, toParams(command, flowRunCode)))
  return run && (await outputAndAwaitFlowRun(command, run))
}

const STATUS_WORDS: Record<string, (typeof FLOW_RUN_STATES)[number]> = {
  success: 'succeeded',
  in_progress: 'running',
  paused: 'needs_decision',
}

export async function printFlowRuns(command: Command): Promise<number> {
  const flow = await getFlow(command, requireArgument(command, 0, 'dataflow'))
  const word = getTextFlag(command.flags, 'status')?.toLowerCase()
  const state =
    word === undefined
      ? undefined
      : (STATUS_WORDS[word] ?? FLOW_RUN_STATES.find((flowRunState) => flowRunState === word))
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
      formatBlockProgress(run.progress),
      String(run.rows_written),
      run.because,
    ])
    const head = ['RUN', 'STATE', 'STARTED', 'BLOCKS', 'ROWS', 'TRIGGERED BY']
    for (const line of formatTable([head, ...rows])) command.print(line)
  }
  return EXIT.ok
}

/** Waits for all triggered blocks; any failure fails the command. */
export async function awaitAndReportFlowRun(command: Command, flowRunCode: string): Promise<number> {
  return reportFlowRun(command, await waitForEndedFlowRun(command, flowRunCode))
}

async function waitForEndedFlowRun(command: Command, flowRunCode: string): Promise<FlowRunDetails> {
  for (;;) {
    const run = await command.client.call(getFlowRun, toParams(command, flowRunCode))
    if (run.state !== 'running') return run
    await command.wait(POLL_MS)
  }
}

const formatBlockProgress = ({ done, total }: FlowRun['progress']) =>
  `${done} of ${total} ${total === 1 ? 'block' : 'blocks'}`

function reportFlowRun(command: Command, run: FlowRunDetails): number {
  const rejectedText = run.rows_rejected === 0 ? '' : `, ${run.rows_rejected} rejected`
  command.say(
    `${run.dataflow_name}: ${run.state.replace('_', ' ')}, ${formatBlockProgress(run.progress)}, ${run.rows_written} rows written${rejectedText}`,
  )
  const latestRunCodes = new Set(run.blocks.map(({ task_run_trellis_code }) => task_run_trellis_code))
  for (const item of run.runs) {
    if (latestRunCodes.has(item.task_run_trellis_code) && item.status !== 'SUCCESS') printProblem(command, item)
  }
  if (run.state === 'needs_decision') return EXIT.decision
  return run.state === 'succeeded' ? EXIT.ok : EXIT.failed
}

/** In the contract a cancelled run and one that needs a decision are FAILED. */
export function getStatusWord({ status, problem, waiting_for }: TaskRun): string {
  if (waiting_for !== null) return 'NEEDS_DECISION'
  return problem?.kind === 'cancelled' ? 'CANCELLED' : status
}

export function printProblem(command: Command, run: TaskRun): void {
  const { problem, block_name: name } = run
  if (run.waiting_for === null) {
    command.say(`${name}: ${getStatusWord(run)}${problem ? `. ${problem.message}` : ''}`)
    if (problem?.advice) command.say(problem.advice)
    return
  }
  command.say(`${name}: paused until somebody decides.`)
  for (const { in_words: change, if_kept: otherwise } of problem?.question?.changes ?? []) {
    command.say(`  ${change} Kept as it is: ${otherwise}`)
  }
  const choices = problem?.question?.can_keep ? 'accept|keep' : 'accept'
  command.say(`To go on: trellis decide ${run.task_run_trellis_code} ${choices}`)
  command.say(`Or decide in the browser: ${toPageUrl(command, run)}`)
}

const toPageUrl = ({ url, tenant }: Command, run: TaskRun): string => {
  const editor = `${url}/${tenant.account_trellis_code}/${tenant.workspace_address}/dataflow/${run.dataflow_trellis_code}/editor`
  return run.flow_run_trellis_code === null
    ? `${editor}/task/${run.task_block_trellis_code}/log/${run.task_run_trellis_code}/details`
    : `${editor}/logs/${run.flow_run_trellis_code}`
}

export async function tryPrintFlowRunLogs(command: Command, flowRunCode: string): Promise<number | undefined> {
  const isFound = await ignoreNotFound(
    command.client.call(getFlowRunLogs, { ...toParams(command, flowRunCode), query: { limit: 1 } }),
  )
  if (!isFound) return undefined
  await printFlowRunLogs(command, flowRunCode)
  return command.flags['follow'] ? await awaitAndReportFlowRun(command, flowRunCode) : EXIT.ok
}

async function printFlowRunLogs(command: Command, flowRunCode: string): Promise<void> {
  const level = parseLevel(command)
  for (let after = ''; ;) {
    const query = { limit: LINES_PER_PAGE, level, ...(after !== '' && { after }) }
    const page = await command.client.call(getFlowRunLogs, { ...toParams(command, flowRunCode), query })
    for (const { at, level: word, block_name, message } of page.lines) {
      command.print(`${at} ${word.padEnd(7)} ${block_name}: ${message}`)
    }
    if (page.is_over) return
    after = page.next
    if (page.lines.length > 0) continue
    if (!command.flags['follow']) return
    await command.wait(POLL_MS)
  }
}

export const parseLevel = ({ flags }: Command) => parseChoice(getTextFlag(flags, 'level'), LOG_LEVELS)

export function parseChoice<T extends string>(text: string | undefined, allowed: readonly T[]): T | undefined {
  if (text === undefined) return undefined
  const match = allowed.find((candidate) => candidate === text.toUpperCase())
  if (!match) throw new CliError(`"${text}" is not one of ${allowed.join(', ')}.`, EXIT.usage)
  return match
}
