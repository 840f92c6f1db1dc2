import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import type { BlockConnection } from '../../integrations/connection/block-connections.service.ts'
import { assertNoCycle, getDraftTrigger, buildGraph } from '../block-graph.ts'
import { type Settings, startSettings } from '@trellis/contract/dataflows/start-settings'
import { formatSettings, applySettingsChange } from '../block-settings.ts'
import { type BlockRow, findBlocks, insertBlock, updateBlock, updateDraft } from '../blocks.repository.ts'
import { updateMetadata } from '../blocks/move-blocks.ts'
import { assertSettingsFit, assertWorkspaceRoom } from '../blocks/workspace-room.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { getLockedDataflow } from '../dataflows.service.ts'
import { findGroups } from '../groups.repository.ts'
import type { FlowAsFile } from './export-yaml.ts'
import { toTriggerForm } from '@trellis/dataflow-engine/flow-file/file-trigger'
import { type FileBlock, OWN_DATABASE, type PlacedFlow } from '@trellis/dataflow-engine/flow-file/flow-file'
import { addDefaultSettings } from '@trellis/dataflow-engine/flow-file/full-settings'

export type FindConnection = (integration: { platform: string; name: string }) => BlockConnection | undefined

export interface ApplyFileInput {
  readonly file: PlacedFlow
  readonly canPrune: boolean
  readonly previousFlow: FlowAsFile | undefined
  readonly find: FindConnection
  readonly folder: string | null | undefined
}

interface TargetDataflow {
  readonly dataflow: string
  readonly groups: ReadonlyMap<string, string>
}

interface WantedBlock {
  readonly key: string
  readonly code: string
  readonly block: NonNullable<PlacedFlow['blocks']>[string]
  readonly row: BlockRow | undefined
  readonly settings: Settings
  readonly connectionId: number | null
}

export async function writeBlocks(ctx: WorkspaceCtx, input: ApplyFileInput, target: TargetDataflow): Promise<void> {
  const dataflow = await getLockedDataflow(ctx, target.dataflow)
  const wantedBlocks = listWantedBlocks(ctx, input)
  await assertWorkspaceRoom(ctx, wantedBlocks.filter(({ row }) => !row).length)
  const groups = await findGroups(ctx, dataflow.id)
  const getGroupCode = ({ group }: FileBlock) => (group === undefined ? undefined : target.groups.get(group)) ?? null
  for (const { key, code, block, row, settings, connectionId } of wantedBlocks) {
    if (row && row.name !== block.name) await updateBlock(ctx, row.id, { name: block.name })
    if (row && formatSettings(row.settings) === formatSettings(settings)) continue
    await assertSettingsFit(ctx, row?.id ?? null, settings)
    if (row) await updateDraft(ctx, row.id, { settings, version: row.version + 1, integration_id: connectionId })
    else
      await insertBlock(ctx, {
        trellis_code: code,
        dataflow_id: dataflow.id,
        kind: block.kind,
        name: block.name,
        x: block.at[0],
        y: block.at[1],
        note: block.note ?? '',
        group_id: groups.find(({ trellis_code }) => trellis_code === getGroupCode(block))?.id ?? null,
        file_key: key,
        settings,
        integration_id: connectionId,
      })
  }
  const positions = wantedBlocks.map(({ code, block }) => ({
    task_block_trellis_code: code,
    metadata: { x: block.at[0], y: block.at[1], note: block.note ?? '', group_trellis_code: getGroupCode(block) },
  }))
  if (positions.length > 0) await updateMetadata(ctx, positions)
  const blocks = await findBlocks(ctx, dataflow.id)
  assertNoCycle(buildGraph(blocks, getDraftTrigger), blocks)
  await touchDataflow(ctx, dataflow.id)
}

function listWantedBlocks(ctx: WorkspaceCtx, input: ApplyFileInput): WantedBlock[] {
  const entries = Object.entries(input.file.blocks ?? {})
  const codes = new Map(
    entries.map(([key]) => [key, findRowOfSameKind(input, key)?.trellis_code ?? generateTrellisCode()]),
  )
  const ownDatabaseCode = managedCode(ctx.workspace.code)
  return entries.map(([key, block]) => {
    const row = findRowOfSameKind(input, key)
    const trigger = toTriggerForm(block.trigger, {
      toCode: (other) => codes.get(other) ?? '',
      previousForm: row?.settings.trigger,
      newId: generateTrellisCode,
    })
    const connection = findConnection(block, input)
    const integration_trellis_code = connection === 'own' ? ownDatabaseCode : (connection?.code ?? null)
    const change = { ...addDefaultSettings(block), trigger, integration_trellis_code }
    return {
      key,
      code: codes.get(key) ?? '',
      block,
      row,
      settings: applySettingsChange(row?.settings ?? startSettings(block.kind, ownDatabaseCode), change, [
        ...codes.values(),
      ]),
      connectionId: connection === 'own' ? null : (connection?.id ?? null),
    }
  })
}

function findConnection({ integration }: FileBlock, { find }: ApplyFileInput) {
  if (integration === undefined) return undefined
  return integration === OWN_DATABASE ? ('own' as const) : find(integration)
}

export function findRowOfSameKind(
  { previousFlow, file }: Pick<ApplyFileInput, 'previousFlow' | 'file'>,
  key: string,
): BlockRow | undefined {
  const row = previousFlow?.blocks.get(key)
  return row && file.blocks?.[key]?.kind === row.kind ? row : undefined
}
