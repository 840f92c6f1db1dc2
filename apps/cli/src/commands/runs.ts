import { RUN_STATUSES } from '@trellis/contract/dataflows/dataflow-words'
import {
  cancelTaskRun,
  decideSchemaChange,
  executeBlock,
  getTaskRun,
  getTaskRunLogs,
  listTaskRuns,
  retryTaskRun,
} from '@trellis/contract/runs/runs.endpoints'
import { SCHEMA_CHOICES, type TaskRun } from '@trellis/contract/runs/runs.schemas'
import { CliError, EXIT } from '../cli-error.ts'
import { type Command, requireArgument, getBlock, getFlow, formatTable, getTextFlag } from '../context.ts'
import {
  printFlowRuns,
  runFlow,
  getStatusWord,
  printProblem,
  parseChoice,
  parseLevel,
  tryCancelFlowRun,
  tryPrintFlowRunLogs,
  tryRetryFlowRun,
  awaitAndReportFlowRun,
} from './flow-runs.ts'

const POLL_MS = 700
const DAY_RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/

const BLOCK_ONLY_FLAGS = ['from-here', 'window', 'full', 'shadow'] as const

/** The server does not say which of the address's parts it does not know. */
export const explainUnknownRun =
  (work: (command: Command) => Promise<number>) =>
  async (command: Command): Promise<number> => {
    try {
      return await work(command)
    } catch (error) {
      if (!(error instanceof CliError) || error.status !== 404) throw error
      throw new CliError(`There is no run "${command.args[0]}" in this workspace. See: trellis runs <dataflow>`)
    }
  }

export async function runBlock(command: Command): Promise<number> {
  if (command.args[1] === undefined) {
    const flag = BLOCK_ONLY_FLAGS.find((name) => command.flags[name] !== undefined)
    if (flag) throw new CliError(`--${flag} is for one block: trellis run <dataflow> <block> --${flag}`, EXIT.usage)
    return await runFlow(command)
  }
  const flow = await getFlow(command, requireArgument(command, 0, 'dataflow'))
  const block = await getBlock(command, flow.trellis_code, requireArgument(command, 1, 'block'))
  const window = parseWindow(getTextFlag(command.flags, 'window'))
  const run = await command.client.call(executeBlock, {
    params: { ...command.tenant, task_block_trellis_code: block.task_block_trellis_code },
    body: {
      scope: command.flags['from-here'] ? 'from_here' : 'block',
      ...(window && { window }),
      ...(command.flags['full'] && { is_full: true }),
      ...(command.flags['shadow'] && { is_shadow: true }),
    },
  })
  return await outputAndAwaitRun(command, run)
}

function parseWindow(text: string | undefined): { from: string; to: string } | undefined {
  if (text === undefined) return undefined
  const match = DAY_RANGE.exec(text)
  if (!match?.[1] || !match[2]) throw new CliError('Write the range as 2026-01-01..2026-01-31.', EXIT.usage)
  return { from: match[1], to: match[2] }
}

/** Prints the run's code, log or JSON as the flags say, and waits for its end if asked to. Returns the exit code. */
async function outputAndAwaitRun(command: Command, run: TaskRun): Promise<number> {
  const { follow: isFollowed, wait, json } = command.flags
  const isAwaited = isFollowed === true || wait === true
  if (!json) command.print(run.task_run_trellis_code)
  else if (!isAwaited) command.print(JSON.stringify(run, null, 2))
  let exitCode: number = isFollowed ? await followRunLog(command, run.task_run_trellis_code) : EXIT.ok
  // A flow run ends with the blocks it triggers.
  if (wait && run.flow_run_trellis_code !== null)
    exitCode = await awaitAndReportFlowRun(command, run.flow_run_trellis_code)
  if (json && isAwaited) {
    const params = { ...command.tenant, task_run_trellis_code: run.task_run_trellis_code }
    command.print(JSON.stringify(await command.client.call(getTaskRun, { params }), null, 2))
  }
  return exitCode
}

export async function listRuns(command: Command): Promise<number> {
  if (!command.flags['blocks'] && getTextFlag(command.flags, 'block') === undefined) return await printFlowRuns(command)
  const flow = await getFlow(command, requireArgument(command, 0, 'dataflow'))
  const status = parseChoice(getTextFlag(command.flags, 'status'), RUN_STATUSES)
  const blockName = getTextFlag(command.flags, 'block')
  const block = blockName === undefined ? undefined : await getBlock(command, flow.trellis_code, blockName)
  const { runs } = await command.client.call(listTaskRuns, {
    params: { ...command.tenant, trellis_code: flow.trellis_code },
    query: { status, task_block_trellis_code: block?.task_block_trellis_code },
  })
  if (command.flags['json']) command.print(JSON.stringify(runs, null, 2))
  else {
    const rows = runs.map((run) => [
      run.task_run_trellis_code,
      run.block_name,
      getStatusWord(run),
      run.started_at ?? run.due_at,
      String(run.counters.rows_written + run.counters.rows_updated),
      run.problem?.message ?? '',
    ])
    for (const line of formatTable([['RUN', 'BLOCK', 'STATUS', 'STARTED', 'ROWS', 'PROBLEM'], ...rows]))
      command.print(line)
  }
  return EXIT.ok
}

export async function showLogs(command: Command): Promise<number> {
  const run = requireArgument(command, 0, 'run')
  const flowRunExitCode = await tryPrintFlowRunLogs(command, run)
  if (flowRunExitCode !== undefined) return flowRunExitCode
  if (command.flags['follow']) return await followRunLog(command, run)
  let after = 0
  for (;;) {
    const { lines } = await fetchLogLines(command, run, after)
    if (lines.length === 0) return EXIT.ok
    after = printLines(command, lines, after)
  }
}

type Page = Awaited<ReturnType<typeof fetchLogLines>>

async function fetchLogLines(command: Command, run: string, after: number) {
  const params = { ...command.tenant, task_run_trellis_code: run }
  return await command.client.call(getTaskRunLogs, {
    params,
    query: { after, level: parseLevel(command), limit: 1000 },
  })
}

function printLines(command: Command, lines: Page['lines'], after: number): number {
  for (const { at, level, message } of lines) command.print(`${at} ${level.padEnd(7)} ${message}`)
  return lines.at(-1)?.number ?? after
}

/** Prints the log until the run is over. Returns the exit code. */
async function followRunLog(command: Command, run: string): Promise<number> {
  let after = 0
  for (;;) {
    const { lines, is_over } = await fetchLogLines(command, run, after)
    after = printLines(command, lines, after)
    if (lines.length > 0) continue
    if (is_over) break
    await command.wait(POLL_MS)
  }
  const endedRun = await command.client.call(getTaskRun, { params: { ...command.tenant, task_run_trellis_code: run } })
  printProblem(command, endedRun)
  if (endedRun.waiting_for !== null) return EXIT.decision
  return endedRun.status === 'SUCCESS' ? EXIT.ok : EXIT.failed
}

export async function cancelRun(command: Command): Promise<number> {
  const runCode = requireArgument(command, 0, 'run')
  const exitCode = await tryCancelFlowRun(command, runCode)
  if (exitCode !== undefined) return exitCode
  const params = { ...command.tenant, task_run_trellis_code: runCode }
  const run = await command.client.call(cancelTaskRun, { params })
  command.say(`The run of "${run.block_name}" is being stopped.`)
  return EXIT.ok
}

export async function retryRun(command: Command): Promise<number> {
  const runCode = requireArgument(command, 0, 'run')
  const exitCode = await tryRetryFlowRun(command, runCode)
  if (exitCode !== undefined) return exitCode
  const params = { ...command.tenant, task_run_trellis_code: runCode }
  return await outputAndAwaitRun(command, await command.client.call(retryTaskRun, { params }))
}

export async function decideRun(command: Command): Promise<number> {
  const params = { ...command.tenant, task_run_trellis_code: requireArgument(command, 0, 'run') }
  const word = requireArgument(command, 1, `answer: ${SCHEMA_CHOICES.join(' or ')}`)
  const choice = SCHEMA_CHOICES.find((schemaChoice) => schemaChoice === word)
  if (!choice) throw new CliError(`"${word}" is not one of ${SCHEMA_CHOICES.join(', ')}.`, EXIT.usage)
  return await outputAndAwaitRun(command, await command.client.call(decideSchemaChange, { params, body: { choice } }))
}
