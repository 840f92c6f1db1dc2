import {
  deleteBlock,
  deleteCanvasGroup,
  putCanvasGroup,
  renameBlock,
  restoreBlock,
  updateBlockMetadata,
} from '@trellis/contract/dataflows/canvas.endpoints'
import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import { connectActivity, disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { usedActivities, type TriggerForm } from '@trellis/contract/dataflows/triggers'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { call } from '../../../../api/call.ts'
import type { BlockRef, Change, GroupWithBlocks, LostArrows, Places } from '../model/changes.ts'
import { withNewCode } from '../model/history.ts'
import { sameTrigger } from '../model/same-trigger.ts'
import { upstreamFirst } from '../../../../running/flow-order.ts'
import { getBlock, updateTrigger } from './block-calls.ts'

export interface CommandContext {
  address: WorkspaceAddress
  dataflow: string
  canvas: () => Canvas
  /** Optimistic; saved debounced. */
  place: (places: Places) => void
  flush: () => Promise<void>
}

export interface Outcome {
  /** As carried out, including lost arrows. */
  made: Change
  newCodes: [from: string, to: string][]
}

/** Somebody else changed the same thing since: continuing would overwrite their change. */
export class ConflictError extends Error {}

export async function applyChange(ground: CommandContext, change: Change): Promise<Outcome> {
  const done = (createdChange: Change, newCodes: Outcome['newCodes'] = []): Outcome => ({
    made: createdChange,
    newCodes,
  })
  switch (change.kind) {
    case 'place':
      refuseIfMoved(ground, change.from)
      ground.place(change.to)
      return done(change)
    case 'rename':
      await call(renameBlock, {
        params: ground.address,
        body: { task_block_trellis_code: change.code, name: change.to },
      })
      return done(change)
    case 'trigger':
      await setTrigger(ground, change)
      return done(change)
    case 'exist':
      if (change.isThere) {
        await restoreBlocks(ground, change)
        return done(change)
      }
      return done({ ...change, lost: await remove(ground, change.blocks) })
    case 'group':
      return await changeGroup(ground, change)
    case 'several': {
      const outcomes: Outcome[] = []
      for (const plannedChange of change.changes) {
        const codes = outcomes.flatMap(({ newCodes }) => newCodes)
        const one = codes.reduce((so, [from, to]) => withNewCode(so, from, to), plannedChange)
        outcomes.push(await applyChange(ground, one))
        // Saved later, a position would undo the next change of the block.
        await ground.flush()
      }
      return done(
        { kind: 'several', changes: outcomes.map(({ made }) => made) },
        outcomes.flatMap(({ newCodes }) => newCodes),
      )
    }
  }
}

function refuseIfMoved(ground: CommandContext, from: Places): void {
  for (const block of ground.canvas().blocks) {
    const before = from[block.task_block_trellis_code]
    const isMoved = Object.entries(before ?? {}).some(([key, value]) => block.metadata[key as 'x'] !== value)
    if (isMoved) throw new ConflictError(`${block.name} was changed in the meantime.`)
  }
}

async function setTrigger({ address }: CommandContext, { block, from, to }: Extract<Change, { kind: 'trigger' }>) {
  const now = await getBlock(address, block)
  if (!sameTrigger(now.settings.trigger, from))
    throw new ConflictError(`What ${now.name} waits for was changed in the meantime.`)
  await updateTrigger(address, block.kind, {
    task_block_trellis_code: block.code,
    version: now.version,
    trigger: to,
  })
}

/** Downstream first, so that undo restores their arrows. */
async function remove(ground: CommandContext, blocks: readonly BlockRef[]): Promise<LostArrows[]> {
  const { address } = ground
  const codes = new Set(blocks.map(({ code }) => code))
  const shownBlocks = ground.canvas().blocks
  const losing = shownBlocks.filter((item) => item.waits_for.some((code) => codes.has(code)))
  const lost = await Promise.all(
    losing.map(async ({ task_block_trellis_code: code, kind }) => {
      const { settings } = await getBlock(address, { code, kind })
      return { code, kind, before: settings.trigger }
    }),
  )
  const going = upstreamFirst(shownBlocks.filter((item) => codes.has(item.task_block_trellis_code))).toReversed()
  for (const { task_block_trellis_code } of going)
    await call(deleteBlock, { params: { ...address, task_block_trellis_code } })
  return lost
}

async function restoreBlocks(
  { address }: CommandContext,
  { blocks, lost }: Extract<Change, { kind: 'exist' }>,
): Promise<void> {
  for (const { code } of blocks) await call(restoreBlock, { params: { ...address, task_block_trellis_code: code } })
  const codes = blocks.map(({ code }) => code)
  for (const { code, kind, before } of lost) {
    const { version, settings } = await getBlock(address, { code, kind })
    const trigger = restoreTrigger(settings.trigger, before, codes)
    if (!sameTrigger(trigger, settings.trigger))
      await updateTrigger(address, kind, { task_block_trellis_code: code, version, trigger })
  }
}

/** Restores the trigger, or only its arrows when it was changed since. */
function restoreTrigger(now: TriggerForm, before: TriggerForm, codes: readonly string[]): TriggerForm {
  if (sameTrigger(now, codes.reduce(disconnectActivity, before))) return before
  return usedActivities(before)
    .filter((code) => codes.includes(code))
    .reduce((form, code) => connectActivity(form, code, crypto.randomUUID()), now)
}

async function changeGroup(ground: CommandContext, change: Extract<Change, { kind: 'group' }>): Promise<Outcome> {
  const { from, to } = change
  if (to === null) {
    if (from) await call(deleteCanvasGroup, { params: { ...ground.address, trellis_code: from.group.trellis_code } })
    return { made: change, newCodes: [] }
  }
  const made = await putGroup(ground, to, from)
  const old = to.group.trellis_code
  if (made.trellis_code === old) return { made: change, newCodes: [] }
  return { made: { ...change, to: { ...to, group: made } }, newCodes: old === '' ? [] : [[old, made.trellis_code]] }
}

async function putGroup({ address, dataflow }: CommandContext, to: GroupWithBlocks, from: GroupWithBlocks | null) {
  const { trellis_code, name, color, note, is_folded } = to.group
  const leaving = from?.members.filter((code) => !to.members.includes(code)) ?? []
  if (leaving.length > 0)
    await call(updateBlockMetadata, {
      params: address,
      body: {
        blocks: leaving.map((code) => ({ task_block_trellis_code: code, metadata: { group_trellis_code: null } })),
      },
    })
  return await call(putCanvasGroup, {
    params: address,
    body: {
      dataflow_trellis_code: dataflow,
      ...(from && { trellis_code }),
      name,
      color,
      note,
      is_folded,
      task_block_trellis_codes: to.members,
    },
  })
}
