import { isDeepStrictEqual } from 'node:util'
import type { Alerts } from '@trellis/contract/dataflows/dataflows.schemas'
import { NO_TRIGGER, usedActivities } from '@trellis/contract/dataflows/triggers'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { newTrellisCode } from '../../../platform/trellis-code.ts'
import { managedCode } from '../../explorer/database.service.ts'
import type { BlockConnection } from '../../integrations/connection/block-connections.service.ts'
import type { Settings, SettingsChange } from '../block-settings.ts'
import { changeBlock, createBlock, getBlockRow, renameBlock } from '../blocks.service.ts'
import { deleteGroup, putGroup } from '../canvas.service.ts'
import { createDataflow, updateDataflow } from '../dataflows.service.ts'
import { deleteBlock } from '../blocks/delete-block.ts'
import { updateMetadata } from '../blocks/move-blocks.ts'
import type { FlowAsFile } from './export-yaml.ts'
import { fromFileTrigger } from './file-trigger.ts'
import { type FileBlock, type FlowFile, OWN_DATABASE } from './flow-file.ts'
import { canonical, fullSettings } from './read-flow-file.ts'

/** A connection of this workspace for what the file names, or nothing. */
export type FindConnection = (integration: { platform: string; name: string }) => BlockConnection | undefined

interface Applying {
  readonly file: FlowFile
  readonly before: FlowAsFile | undefined
  readonly find: FindConnection
  readonly folder: string | null | undefined
}

/** Makes a dataflow what the file says, by the same use cases as the screen, and gives its code. */
export async function applyFile(ctx: WorkspaceCtx, applying: Applying): Promise<string> {
  const { before, folder } = applying
  const file = canonical(applying.file)
  const code = before?.dataflow.trellis_code ?? (await makeFlow(ctx, file.name, folder))
  await writeFlow(ctx, { code, before }, file)
  const groups = await writeGroups(ctx, code, applying)
  for (const [key, row] of before?.blocks ?? []) {
    if (!keptRow(applying, key)) await deleteBlock(ctx, row.trellis_code)
  }
  const codes = await makeBlocks(ctx, { ...applying, code, groups })
  await writeBlocks(ctx, { ...applying, code, groups }, codes)
  await deleteGroups(ctx, applying)
  return code
}

async function makeFlow(ctx: WorkspaceCtx, name: string, folder: string | null | undefined): Promise<string> {
  return (await createDataflow(ctx, { name, folder_trellis_code: folder ?? null })).trellis_code
}

async function writeFlow(
  ctx: WorkspaceCtx,
  { code, before }: { code: string; before: FlowAsFile | undefined },
  file: FlowFile,
): Promise<void> {
  const { name, description, misfire, overlap, paused, alerts } = file
  const { webhook_url = null } = (before?.dataflow.alerts ?? {}) as Partial<Alerts>
  await updateDataflow(ctx, code, {
    name,
    description,
    misfire,
    overlap,
    is_paused: paused,
    ...(alerts && { alerts: { ...alerts, emails: alerts.emails ?? [], webhook_url } }),
  })
}

/** Codes of groups by their keys. */
async function writeGroups(
  ctx: WorkspaceCtx,
  dataflow: string,
  { file, before }: Applying,
): Promise<Map<string, string>> {
  const codes = new Map<string, string>()
  for (const [key, { name, color, note, folded }] of Object.entries(file.groups ?? {})) {
    const known = before?.groups.get(key)?.trellis_code
    const group = await putGroup(ctx, {
      dataflow_trellis_code: dataflow,
      ...(known !== undefined && { trellis_code: known }),
      name,
      color,
      note: note ?? '',
      is_folded: folded ?? false,
    })
    codes.set(key, group.trellis_code)
  }
  return codes
}

async function deleteGroups(ctx: WorkspaceCtx, { file, before }: Applying): Promise<void> {
  for (const [key, { trellis_code }] of before?.groups ?? []) {
    if (!Object.hasOwn(file.groups ?? {}, key)) await deleteGroup(ctx, trellis_code)
  }
}

type Making = Applying & { readonly code: string; readonly groups: ReadonlyMap<string, string> }

const placeOf = ({ at: [x, y], note, group }: FileBlock, groups: ReadonlyMap<string, string>) => ({
  x,
  y,
  note: note ?? '',
  group_trellis_code: group === undefined ? null : (groups.get(group) ?? null),
})

/** A block of the same key and kind is the same block. */
function keptRow({ before, file }: Pick<Applying, 'before' | 'file'>, key: string) {
  const row = before?.blocks.get(key)
  return row && file.blocks?.[key]?.kind === row.kind ? row : undefined
}

/** Codes of all blocks by their keys; those that are new wait for nobody yet. */
async function makeBlocks(ctx: WorkspaceCtx, making: Making): Promise<Map<string, string>> {
  const codes = new Map<string, string>()
  const entries = Object.entries(making.file.blocks ?? {})
  for (const [key, { name }] of entries) {
    const row = keptRow(making, key)
    if (!row) continue
    codes.set(key, row.trellis_code)
    if (row.name !== name) await renameBlock(ctx, { task_block_trellis_code: row.trellis_code, name })
  }
  for (const [key, block] of entries) {
    if (codes.has(key)) continue
    const made = await createBlock(ctx, block.kind, {
      dataflow_trellis_code: making.code,
      name: block.name,
      metadata: placeOf(block, making.groups),
    })
    codes.set(key, made.task_block_trellis_code)
  }
  return codes
}

/** Drafts are changed only where the file says something else; arrows that go are taken away before others are drawn. */
async function writeBlocks(ctx: WorkspaceCtx, making: Making, codes: ReadonlyMap<string, string>): Promise<void> {
  const wanted = Object.entries(making.file.blocks ?? {}).map(([key, block]) => {
    const row = keptRow(making, key)
    const trigger = fromFileTrigger(block.trigger, {
      codeOf: (other) => codes.get(other) ?? '',
      before: row?.settings.trigger,
      newId: newTrellisCode,
    })
    return { code: codes.get(key) ?? '', block, row, trigger }
  })
  for (const { code, block, row, trigger } of wanted) {
    const isLoosened = row && !isDeepStrictEqual(usedActivities(row.settings.trigger), usedActivities(trigger))
    if (isLoosened) await change(ctx, { code, kind: block.kind }, { trigger: NO_TRIGGER })
  }
  for (const { code, block, trigger } of wanted) {
    const integration_trellis_code = connectionOf(ctx, block, making.find)
    await change(ctx, { code, kind: block.kind }, { ...fullSettings(block), trigger, integration_trellis_code })
  }
  const moved = wanted.map(({ code, block }) => ({
    task_block_trellis_code: code,
    metadata: placeOf(block, making.groups),
  }))
  if (moved.length > 0) await updateMetadata(ctx, moved)
}

async function change(
  ctx: WorkspaceCtx,
  { code, kind }: { code: string; kind: FileBlock['kind'] },
  settings: SettingsChange,
): Promise<void> {
  const { version } = await getBlockRow(ctx, code)
  await changeBlock<typeof kind, Settings>(ctx, kind, { task_block_trellis_code: code, version, settings })
}

function connectionOf(ctx: WorkspaceCtx, { integration }: FileBlock, find: FindConnection): string | null {
  if (integration === undefined) return null
  return integration === OWN_DATABASE ? managedCode(ctx.workspace.code) : (find(integration)?.code ?? null)
}
