import { exportDataflow, importDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { publishBlock } from '@trellis/contract/runs/versions.endpoints'
import { parse } from 'yaml'
import { CliError, EXIT } from '../cli-error.ts'
import { type Command, requireArgument, listBlocks, findFlow, getFlow, formatTable, getTextFlag } from '../context.ts'
import { formatProblem } from './files.ts'

export async function listFlows(command: Command): Promise<number> {
  const { folders, dataflows } = await command.client.call(getFolderStructure, { params: command.tenant })
  if (command.flags['json']) {
    command.print(JSON.stringify(dataflows, null, 2))
    return EXIT.ok
  }
  const getFolderName = (code: string | null) => folders.find(({ trellis_code }) => trellis_code === code)?.name ?? ''
  const rows = dataflows.map(
    ({ name, trellis_code, status, last_run, block_count, next_due_at, folder_trellis_code }) => [
      name,
      trellis_code,
      status === 'FAILED' && last_run?.state === 'needs_decision' ? 'NEEDS_DECISION' : status,
      `${block_count} ${block_count === 1 ? 'block' : 'blocks'}`,
      next_due_at ?? '',
      getFolderName(folder_trellis_code),
    ],
  )
  for (const line of formatTable([['NAME', 'CODE', 'STATUS', 'BLOCKS', 'NEXT', 'FOLDER'], ...rows])) command.print(line)
  return EXIT.ok
}

export async function exportFlow(command: Command): Promise<number> {
  const flow = await getFlow(command, requireArgument(command, 0, 'dataflow'))
  const { yaml } = await command.client.call(exportDataflow, {
    params: { ...command.tenant, trellis_code: flow.trellis_code },
  })
  const file = getTextFlag(command.flags, 'output')
  if (file === undefined) command.print(yaml.replace(/\n$/, ''))
  else {
    await command.writeFile(file, yaml)
    command.say(`"${flow.name}" is in ${file}.`)
  }
  return EXIT.ok
}

interface DryRun {
  readonly yaml: string
  readonly code: string | undefined
  readonly changes: readonly { readonly kind: keyof typeof SIGNS; readonly what: string }[]
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
}

const SIGNS = { added: '+', changed: '~', moved: '>', removed: '-' } as const

async function printDryRun(command: Command): Promise<DryRun> {
  const file = requireArgument(command, 0, 'file')
  const yaml = await command.readFile(file)
  const flowName = getTextFlag(command.flags, 'flow')
  const flow = flowName === undefined ? await findFlow(command, parseFlowName(yaml)) : await getFlow(command, flowName)
  const can_prune = command.flags['prune'] === true
  const body = { yaml, is_trial: true, can_prune, ...(flow && { trellis_code: flow.trellis_code }) }
  const { changes, kept, problems } = await command.client.call(importDataflow, { params: command.tenant, body })
  for (const { kind, what } of changes) command.print(`${SIGNS[kind]} ${what}`)
  for (const what of kept) command.say(`${what} is not in the file and stays. --prune deletes it.`)
  for (const problem of problems) command.say(formatProblem({ file, ...problem }))
  return { yaml, code: flow?.trellis_code, changes, problems }
}

/** Empty if there is none or the file cannot be parsed: the server then reports what is wrong with it. */
function parseFlowName(yaml: string): string {
  try {
    const { name } = parse(yaml) as { name?: unknown }
    return typeof name === 'string' ? name : ''
  } catch {
    return ''
  }
}

export async function diffFlow(command: Command): Promise<number> {
  const { changes, problems } = await printDryRun(command)
  if (problems.length > 0) return EXIT.failed
  if (changes.length === 0) command.say('No changes.')
  return changes.length === 0 ? EXIT.ok : EXIT.differs
}

export async function applyFlow(command: Command): Promise<number> {
  const { yaml, code, changes, problems } = await printDryRun(command)
  const isFileInvalid = changes.length === 0 && problems.length > 0
  if (isFileInvalid || (problems.length > 0 && !command.flags['allow-missing'])) {
    const advice = isFileInvalid ? '' : ' With --allow-missing such blocks are left without a connection.'
    throw new CliError(`Nothing was changed.${advice}`)
  }
  let appliedCode = code
  if (code === undefined || changes.length > 0) {
    const can_prune = command.flags['prune'] === true
    const body = { yaml, can_prune, ...(code !== undefined && { trellis_code: code }) }
    const outcome = await command.client.call(importDataflow, { params: command.tenant, body })
    appliedCode = outcome.trellis_code ?? undefined
  }
  command.say(
    changes.length === 0
      ? 'No changes.'
      : `Applied: ${changes.length === 1 ? 'one change' : `${changes.length} changes`}.`,
  )
  return command.flags['publish'] && appliedCode !== undefined
    ? await publishChangedBlocks(command, appliedCode)
    : EXIT.ok
}

async function publishChangedBlocks(command: Command, dataflow: string): Promise<number> {
  const blocks = await listBlocks(command, dataflow)
  const unpublishedBlocks = blocks.filter(({ publish_state }) => publish_state !== 'published')
  const message = getTextFlag(command.flags, 'message') ?? 'Applied from a file'
  let areAllPublished = true
  for (const { task_block_trellis_code, name, version, faults } of unpublishedBlocks) {
    if (faults.length > 0) {
      areAllPublished = false
      for (const fault of faults) command.say(`"${name}" is not published: ${fault.message}`)
      continue
    }
    const params = { ...command.tenant, task_block_trellis_code }
    await command.client.call(publishBlock, { params, body: { version, message } })
    command.say(`"${name}" is published.`)
  }
  return areAllPublished ? EXIT.ok : EXIT.failed
}
