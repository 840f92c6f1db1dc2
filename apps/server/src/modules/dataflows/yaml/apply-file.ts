import type { Alerts } from '@trellis/contract/dataflows/dataflows.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { deleteBlocks } from '../blocks/delete-block.ts'
import { deleteGroups, putGroup } from '../canvas.service.ts'
import { createDataflow, updateDataflow } from '../dataflows.service.ts'
import { type FlowAsFile, storeKeys } from './export-yaml.ts'
import type { FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'
import { normalizeFlowFile } from '@trellis/dataflow-engine/flow-file/read-flow-file'
import { type ApplyFileInput, findRowOfSameKind, writeBlocks } from './write-blocks.ts'

export async function applyFile(ctx: WorkspaceCtx, input: ApplyFileInput): Promise<string> {
  const { previousFlow, folder, canPrune } = input
  const file = normalizeFlowFile(input.file)
  const code = previousFlow?.dataflow.trellis_code ?? (await createFlow(ctx, file.name, folder))
  await writeFlow(ctx, { code, previousFlow }, file)
  const groups = await writeGroups(ctx, code, input)
  if (canPrune) await pruneBlocks(ctx, code, input)
  if (previousFlow) await storeKeys(ctx, previousFlow.blocks)
  await writeBlocks(ctx, input, { dataflow: code, groups })
  if (canPrune) await deleteGroups(ctx, code, listRemovedGroups(input))
  return code
}

async function pruneBlocks(ctx: WorkspaceCtx, code: string, input: ApplyFileInput): Promise<void> {
  const removedBlocks = [...(input.previousFlow?.blocks ?? [])].filter(([key]) => !findRowOfSameKind(input, key))
  await deleteBlocks(
    ctx,
    code,
    removedBlocks.map(([, { trellis_code }]) => trellis_code),
  )
}

async function createFlow(ctx: WorkspaceCtx, name: string, folder: string | null | undefined): Promise<string> {
  return (await createDataflow(ctx, { name, folder_trellis_code: folder ?? null })).trellis_code
}

async function writeFlow(
  ctx: WorkspaceCtx,
  { code, previousFlow }: { code: string; previousFlow: FlowAsFile | undefined },
  file: FlowFile,
): Promise<void> {
  const { name, description, misfire, overlap, paused, alerts } = file
  const { webhook_url = null } = (previousFlow?.dataflow.alerts ?? {}) as Partial<Alerts>
  await updateDataflow(ctx, code, {
    name,
    description,
    misfire,
    overlap,
    is_paused: paused,
    ...(alerts && { alerts: { ...alerts, emails: alerts.emails ?? [], webhook_url } }),
  })
}

async function writeGroups(
  ctx: WorkspaceCtx,
  dataflow: string,
  { file, previousFlow }: ApplyFileInput,
): Promise<Map<string, string>> {
  const codes = new Map<string, string>()
  for (const [key, { name, color, note, folded }] of Object.entries(file.groups ?? {})) {
    const groupCode = previousFlow?.groups.get(key)?.trellis_code
    const group = await putGroup(ctx, {
      dataflow_trellis_code: dataflow,
      ...(groupCode !== undefined && { trellis_code: groupCode }),
      name,
      color,
      note: note ?? '',
      is_folded: folded ?? false,
    })
    codes.set(key, group.trellis_code)
  }
  return codes
}

const listRemovedGroups = ({ file, previousFlow }: ApplyFileInput): string[] =>
  [...(previousFlow?.groups ?? [])].flatMap(([key, { trellis_code }]) =>
    Object.hasOwn(file.groups ?? {}, key) ? [] : [trellis_code],
  )
