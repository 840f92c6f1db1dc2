import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { CliError, EXIT } from './cli-error.ts'
import type { Client } from './client.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>

export interface FileCommand {
  readonly args: readonly string[]
  readonly flags: Flags
  readonly print: (line: string) => void
  /** Prints to stderr. */
  readonly say: (line: string) => void
  readonly wait: (ms: number) => Promise<void>
  readonly readFile: (path: string) => Promise<string>
  readonly writeFile: (path: string, text: string) => Promise<void>
  /** Fails if the file exists. */
  readonly createFile: (path: string, text: string) => Promise<void>
  readonly isStopped: () => boolean
}

export interface Command extends FileCommand {
  readonly client: Client
  readonly url: string
  readonly tenant: { readonly account_trellis_code: string; readonly workspace_address: string }
}

export const textFlag = (flags: Flags, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export function requireArgument({ args }: FileCommand, at: number, what: string): string {
  const value = args[at]
  if (value === undefined) throw new CliError(`Say which ${what}. See: trellis help`, EXIT.usage)
  return value
}

export async function findFlow(command: Command, wanted: string): Promise<DataflowSummary | undefined> {
  const { dataflows } = await command.client.call(getFolderStructure, { params: command.tenant })
  const byCode = dataflows.find(({ trellis_code }) => trellis_code === wanted)
  if (byCode) return byCode
  const namedDataflows = dataflows.filter(({ name }) => name === wanted)
  if (namedDataflows.length > 1) {
    const codes = namedDataflows.map(({ trellis_code }) => trellis_code).join(', ')
    throw new CliError(
      `There are ${namedDataflows.length} dataflows called "${wanted}". Name one by its code: ${codes}`,
      EXIT.usage,
    )
  }
  return namedDataflows[0]
}

export async function getFlow(command: Command, wanted: string): Promise<DataflowSummary> {
  const flow = await findFlow(command, wanted)
  if (!flow) throw new CliError(`There is no dataflow "${wanted}". See: trellis flows`)
  return flow
}

export async function listBlocks({ client, tenant }: Command, dataflow: string): Promise<readonly BlockCard[]> {
  const params = { ...tenant, dataflow_trellis_code: dataflow }
  return (await client.call(getCanvas, { params })).blocks
}

export async function getBlock(command: Command, dataflow: string, wanted: string): Promise<BlockCard> {
  const blocks = await listBlocks(command, dataflow)
  const isWanted = ({ name, task_block_trellis_code }: BlockCard) =>
    task_block_trellis_code === wanted || name.toLowerCase() === wanted.toLowerCase()
  const block = blocks.find(isWanted)
  if (block) return block
  throw new CliError(
    `There is no block "${wanted}". There are: ${blocks.map(({ name }) => `"${name}"`).join(', ') || 'none'}`,
  )
}

export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
