import type { DataflowDescription } from '@trellis/contract/dataflows/dataflows.schemas'
import type {
  BlockDescription,
  DestinationSettings,
  SourceSettings,
  TransformationSettings,
  WriteStep,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type BlockRow, findBlocks } from '../blocks.repository.ts'
import { getBlockRow } from '../blocks.service.ts'
import { type CanvasFacts, readFacts } from '../canvas-facts.ts'
import { getDataflowRow } from '../dataflows.service.ts'
import { sortTopologically } from '@trellis/dataflow-engine/graph/graph'
import { draftTrigger, buildGraph } from '../block-graph.ts'
import { listReadTables, listWrittenTables } from '../block-tables.ts'
import { describeTriggerForm } from './trigger-words.ts'

export async function describeBlock(
  ctx: WorkspaceCtx,
  code: string,
  isShort: boolean,
): Promise<z.infer<typeof BlockDescription>> {
  const block = await getBlockRow(ctx, code)
  const facts = await readFacts(ctx, await findBlocks(ctx, block.dataflow_id))
  return {
    task_block_trellis_code: block.trellis_code,
    kind: block.kind,
    name: block.name,
    in_words: isShort ? describeBlockBriefly(block, facts) : describeBlockSettings(block, facts),
    trigger_in_words: describeTrigger(block, facts),
    ...(!isShort && { note: block.note }),
    writes: listWrittenTables(block.settings).map(fullName),
    reads: listReadTables(block.settings).map(fullName),
  }
}

export async function describeDataflow(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof DataflowDescription>> {
  const dataflow = await getDataflowRow(ctx, code)
  const blocks = await findBlocks(ctx, dataflow.id)
  const facts = await readFacts(ctx, blocks)
  const byCode = new Map(blocks.map((block) => [block.trellis_code, block]))
  const inOrder = sortTopologically(buildGraph(blocks, draftTrigger)).flatMap((id) => byCode.get(id) ?? [])
  return {
    trellis_code: dataflow.trellis_code,
    name: dataflow.name,
    description: dataflow.description,
    blocks: inOrder.map((block) => ({
      task_block_trellis_code: block.trellis_code,
      kind: block.kind,
      name: block.name,
      note: block.note,
      in_words: describeBlockSettings(block, facts),
      trigger_in_words: describeTrigger(block, facts),
    })),
  }
}

const fullName = ({ schema_name, table_name }: { schema_name: string; table_name: string }) =>
  `${schema_name}.${table_name}`

const describeTrigger = (block: BlockRow, facts: CanvasFacts): string =>
  describeTriggerForm(block.settings.trigger, (code) => facts.byCode.get(code)?.name)

const STRATEGY = {
  Append: 'adds the rows to',
  Replace: 'replaces the rows of',
  Upsert: 'updates the rows by their key in',
} as const

function describeBlockBriefly(block: BlockRow, facts: CanvasFacts): string {
  const from = describeConnection(block, facts)
  const tables = listWrittenTables(block.settings).map(fullName)
  const to = tables.length === 0 ? '' : ` into ${joinWords(tables.slice(0, 3))}${tables.length > 3 ? ' and more' : ''}`
  if (block.kind === 'Source') return `Reads ${from}${to}.`
  if (block.kind === 'Destination')
    return `Sends ${describeInput((block.settings as DestinationSettings).input)} to ${from}.`
  return `Runs ${(block.settings as TransformationSettings).language === 'sql' ? 'SQL' : 'JavaScript'}${to}.`
}

function describeBlockSettings(block: BlockRow, facts: CanvasFacts): string {
  const sentences =
    block.kind === 'Source'
      ? describeSource(block.settings as SourceSettings, describeConnection(block, facts))
      : block.kind === 'Transformation'
        ? describeTransformation(block.settings as TransformationSettings)
        : describeDestination(block.settings as DestinationSettings, describeConnection(block, facts))
  return sentences.join(' ')
}

function describeSource({ subtasks }: SourceSettings, from: string): string[] {
  if (subtasks.length === 0) return [`Reads from ${from}; what it reads is not chosen yet.`]
  return subtasks.map(({ name, is_incremental, write }) => {
    const what = is_incremental ? `what is new or changed in "${name}"` : `all of "${name}"`
    return `Reads ${what} from ${from}${write ? ` and ${writeWords(write)}` : ''}.`
  })
}

function describeTransformation({ language, input, write }: TransformationSettings): string[] {
  const first =
    language === 'sql'
      ? 'Runs SQL in the database of the workspace'
      : `Runs a JavaScript function over ${describeInput(input)}`
  return [`${first}${write ? ` and ${writeWords(write)}` : ''}.`]
}

function describeDestination({ input, strategy, dataModel }: DestinationSettings, to: string): string[] {
  const keys = dataModel?.primary_keys ?? []
  const by = strategy === 'Upsert' && keys.length > 0 ? `, told apart by ${joinWords(keys)}` : ''
  return [`Reads ${describeInput(input)} and ${STRATEGY[strategy]} ${to}${by}.`]
}

function writeWords({ strategy, schema_name, table_name, dataModel }: WriteStep): string {
  const keys = dataModel?.primary_keys ?? []
  const by = strategy === 'Upsert' && keys.length > 0 ? ` (${joinWords(keys)})` : ''
  return `${STRATEGY[strategy]} ${schema_name}.${table_name}${by}`
}

function describeInput(input: DestinationSettings['input']): string {
  if (!input) return 'nothing yet'
  return 'sql' in input ? 'the rows of a query' : fullName(input)
}

function describeConnection({ settings }: BlockRow, { connections }: CanvasFacts): string {
  const connection = connections.get(settings.integration_trellis_code ?? '')
  if (!connection) return 'a connection that is not chosen yet'
  return `${connection.connector?.name ?? connection.platformCode} "${connection.name}"`
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
