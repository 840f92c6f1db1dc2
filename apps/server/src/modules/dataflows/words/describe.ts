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
import { type CanvasFacts, readCanvasFacts } from '../canvas-facts.ts'
import { getDataflowRow } from '../dataflows.service.ts'
import { sortTopologically } from '@trellis/dataflow-engine/graph/graph'
import { getDraftTrigger, buildGraph } from '../block-graph.ts'
import { listReadTables, listWrittenTables } from '../block-tables.ts'
import { describeTriggerForm } from './trigger-words.ts'

export async function describeBlock(
  ctx: WorkspaceCtx,
  code: string,
  isShort: boolean,
): Promise<z.infer<typeof BlockDescription>> {
  const block = await getBlockRow(ctx, code)
  const facts = await readCanvasFacts(ctx, await findBlocks(ctx, block.dataflow_id))
  return {
    task_block_trellis_code: block.trellis_code,
    kind: block.kind,
    name: block.name,
    in_words: isShort ? describeBlockBriefly(block, facts) : describeBlockSettings(block, facts),
    trigger_in_words: describeTrigger(block, facts),
    ...(!isShort && { note: block.note }),
    writes: listWrittenTables(block.settings).map(formatTableName),
    reads: listReadTables(block.settings).map(formatTableName),
  }
}

export async function describeDataflow(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof DataflowDescription>> {
  const dataflow = await getDataflowRow(ctx, code)
  const blocks = await findBlocks(ctx, dataflow.id)
  const facts = await readCanvasFacts(ctx, blocks)
  const byCode = new Map(blocks.map((block) => [block.trellis_code, block]))
  const sortedBlocks = sortTopologically(buildGraph(blocks, getDraftTrigger)).flatMap((id) => byCode.get(id) ?? [])
  return {
    trellis_code: dataflow.trellis_code,
    name: dataflow.name,
    description: dataflow.description,
    blocks: sortedBlocks.map((block) => ({
      task_block_trellis_code: block.trellis_code,
      kind: block.kind,
      name: block.name,
      note: block.note,
      in_words: describeBlockSettings(block, facts),
      trigger_in_words: describeTrigger(block, facts),
    })),
  }
}

const formatTableName = ({ schema_name, table_name }: { schema_name: string; table_name: string }) =>
  `${schema_name}.${table_name}`

const describeTrigger = (block: BlockRow, facts: CanvasFacts): string =>
  describeTriggerForm(block.settings.trigger, (code) => facts.byCode.get(code)?.name)

const STRATEGY_TEXTS = {
  Append: 'adds the rows to',
  Replace: 'replaces the rows of',
  Upsert: 'updates the rows by their key in',
} as const

function describeBlockBriefly(block: BlockRow, facts: CanvasFacts): string {
  const connectionText = describeConnection(block, facts)
  const tables = listWrittenTables(block.settings).map(formatTableName)
  const tablesText =
    tables.length === 0 ? '' : ` into ${joinWords(tables.slice(0, 3))}${tables.length > 3 ? ' and more' : ''}`
  if (block.kind === 'Source') return `Reads ${connectionText}${tablesText}.`
  if (block.kind === 'Destination')
    return `Sends ${describeInput((block.settings as DestinationSettings).input)} to ${connectionText}.`
  return `Runs ${(block.settings as TransformationSettings).language === 'sql' ? 'SQL' : 'JavaScript'}${tablesText}.`
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

function describeSource({ subtasks }: SourceSettings, connectionText: string): string[] {
  if (subtasks.length === 0) return [`Reads from ${connectionText}; what it reads is not chosen yet.`]
  return subtasks.map(({ name, is_incremental, write }) => {
    const rowsText = is_incremental ? `what is new or changed in "${name}"` : `all of "${name}"`
    return `Reads ${rowsText} from ${connectionText}${write ? ` and ${describeWrite(write)}` : ''}.`
  })
}

function describeTransformation({ language, input, write }: TransformationSettings): string[] {
  const mainText =
    language === 'sql'
      ? 'Runs SQL in the database of the workspace'
      : `Runs a JavaScript function over ${describeInput(input)}`
  return [`${mainText}${write ? ` and ${describeWrite(write)}` : ''}.`]
}

function describeDestination({ input, strategy, dataModel }: DestinationSettings, tablesText: string): string[] {
  const keys = dataModel?.primary_keys ?? []
  const keyText = strategy === 'Upsert' && keys.length > 0 ? `, told apart by ${joinWords(keys)}` : ''
  return [`Reads ${describeInput(input)} and ${STRATEGY_TEXTS[strategy]} ${tablesText}${keyText}.`]
}

function describeWrite({ strategy, schema_name, table_name, dataModel }: WriteStep): string {
  const keys = dataModel?.primary_keys ?? []
  const keyText = strategy === 'Upsert' && keys.length > 0 ? ` (${joinWords(keys)})` : ''
  return `${STRATEGY_TEXTS[strategy]} ${schema_name}.${table_name}${keyText}`
}

function describeInput(input: DestinationSettings['input']): string {
  if (!input) return 'nothing yet'
  return 'sql' in input ? 'the rows of a query' : formatTableName(input)
}

function describeConnection({ settings }: BlockRow, { connections }: CanvasFacts): string {
  const connection = connections.get(settings.integration_trellis_code ?? '')
  if (!connection) return 'a connection that is not chosen yet'
  return `${connection.connector?.name ?? connection.platformCode} "${connection.name}"`
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
