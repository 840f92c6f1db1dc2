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

export const getTextFlag = (flags: Flags, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export function requireArgument({ args }: FileCommand, index: number, argumentName: string): string {
  const value = args[index]
  if (value === undefined) throw new CliError(`Say which ${argumentName}. See: trellis help`, EXIT.usage)
  return value
}

export async function findFlow(command: Command, nameOrCode: string): Promise<DataflowSummary | undefined> {
  const { dataflows } = await command.client.call(getFolderStructure, { params: command.tenant })
  const flowByCode = dataflows.find(({ trellis_code }) => trellis_code === nameOrCode)
  if (flowByCode) return flowByCode
  const flowsByName = dataflows.filter(({ name }) => name === nameOrCode)
  if (flowsByName.length > 1) {
    const codes = flowsByName.map(({ trellis_code }) => trellis_code).join(', ')
    throw new CliError(
      `There are ${flowsByName.length} dataflows called "${nameOrCode}". Name one by its code: ${codes}`,
      EXIT.usage,
    )
  }
  return flowsByName[0]
}

export async function getFlow(command: Command, nameOrCode: string): Promise<DataflowSummary> {
  const flow = await findFlow(command, nameOrCode)
  if (!flow) throw new CliError(`There is no dataflow "${nameOrCode}". See: trellis flows`)
  return flow
}

export async function listBlocks({ client, tenant }: Command, dataflow: string): Promise<readonly BlockCard[]> {
  const params = { ...tenant, dataflow_trellis_code: dataflow }
  return (await client.call(getCanvas, { params })).blocks
}

export async function getBlock(command: Command, dataflow: string, nameOrCode: string): Promise<BlockCard> {
  const blocks = await listBlocks(command, dataflow)
  const isNamed = ({ name, task_block_trellis_code }: BlockCard) =>
    task_block_trellis_code === nameOrCode || name.toLowerCase() === nameOrCode.toLowerCase()
  const block = blocks.find(isNamed)
  if (block) return block
  throw new CliError(
    `There is no block "${nameOrCode}". There are: ${blocks.map(({ name }) => `"${name}"`).join(', ') || 'none'}`,
  )
}

export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
