import { executeDataflow, getFlowRun, getFlowRunLogs } from '@trellis/contract/runs/flow-runs.endpoints'
import type { FlowRun, FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import { EXIT } from '../cli-error.ts'
import { type Command, argument, getFlow } from '../context.ts'

const POLL_MS = 700
const LINES_AT_ONCE = 1000

/** Runs a dataflow from the blocks that wait for no other. */
export async function runFlow(command: Command): Promise<number> {
  const flow = await getFlow(command, argument(command, 0, 'dataflow'))
  const run = await command.client.call(executeDataflow, {
    params: { ...command.tenant, trellis_code: flow.trellis_code },
  })
  command.print(command.flags['json'] ? JSON.stringify(run, null, 2) : run.flow_run_trellis_code)
  if (command.flags['follow']) await printLogs(command, run.flow_run_trellis_code)
  if (command.flags['follow'] || command.flags['wait']) return await waitForFlowRun(command, run.flow_run_trellis_code)
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
async function printLogs(command: Command, code: string): Promise<void> {
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
