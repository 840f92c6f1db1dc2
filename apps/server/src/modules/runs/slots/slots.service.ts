import type { ChangeLog, SlotState } from '@trellis/connector-kit/change-log'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx, WorkspaceCtx } from '../../../platform/ctx.ts'
import { noteOnConnection, openRunConnection } from '../../integrations/connection/run-connections.service.ts'
import type { Connection } from '../../integrations/connections.service.ts'
import { SLOT_PREFIX } from '../work/changes/slot-name.ts'
import {
  type BlockSlot,
  type WatchedSlot,
  findBlockSlots,
  findSlots,
  forgetSlot,
  updateSlot,
} from './slots.repository.ts'

/** A source that does not answer keeps the others waiting for no longer. */
const SOURCE_MS = 20_000

/** Sources keep their log for a slot until their disk is full: nobody but us knows that a slot is not read any more. */
export async function watchSlots(ctx: SystemCtx): Promise<void> {
  const slots = await findSlots(ctx)
  for (const [integration, own] of Map.groupBy(slots, ({ integrationCode }) => integrationCode)) {
    await watchConnection(ctx, own).catch((error: unknown) => {
      ctx.log.warn({ err: error, integration }, 'The replication slots of a source could not be looked at.')
    })
  }
}

async function watchConnection(ctx: SystemCtx, slots: readonly WatchedSlot[]): Promise<void> {
  const [first] = slots
  if (!first) return
  const open = await connect(ctx, first)
  if (!open) {
    for (const slot of slots) await leaveSlot(ctx, slot)
    return
  }
  const { changeLog, context } = open
  const there = await changeLog.listSlots(context, SLOT_PREFIX)
  for (const slot of slots) {
    const state = there.find(({ name }) => name === slot.slot)
    const drop = async () => await changeLog.dropSlot(context, slot.slot)
    if (slot.isLive) await watchLive(ctx, slot, { state, drop })
    else await dropUnread(ctx, slot, drop)
  }
}

async function connect(
  ctx: SystemCtx,
  place: WatchedSlot,
): Promise<{ changeLog: ChangeLog; context: Connection['context'] } | undefined> {
  try {
    const signal = AbortSignal.timeout(SOURCE_MS)
    const { connector, context } = await openRunConnection(ctx, place, { signal, log: () => undefined })
    const changeLog = connector.source?.changeLog
    return changeLog && { changeLog, context }
  } catch (error) {
    // The connection was deleted: nobody can sign in at the source any more.
    if (error instanceof AppError && error.code === 'integration_problem') return undefined
    throw error
  }
}

async function leaveSlot(ctx: SystemCtx, slot: WatchedSlot): Promise<void> {
  ctx.log.warn(
    { slot: slot.slot, integration: slot.integrationCode },
    'A replication slot was left at a deleted source.',
  )
  await forgetSlot(ctx, slot.id)
}

async function dropUnread(ctx: SystemCtx, slot: WatchedSlot, drop: () => Promise<void>): Promise<void> {
  await drop()
  await forgetSlot(ctx, slot.id)
  await warn(ctx, slot, `Dropped the replication slot ${slot.slot}: no published block reads it any more`)
}

interface Watched {
  readonly state: SlotState | undefined
  readonly drop: () => Promise<void>
}

async function watchLive(ctx: SystemCtx, slot: WatchedSlot, { state, drop }: Watched): Promise<void> {
  const reason = state && !slot.isDropped ? whyTooMuch(state, ctx.ports.config.slotLimitBytes) : null
  if (reason !== null) await drop()
  await updateSlot(ctx, slot.id, {
    keptBytes: reason === null ? (state?.keptBytes ?? null) : null,
    droppedBecause: reason,
  })
  if (reason !== null) {
    const next = 'The next run reads the whole table again'
    await warn(ctx, slot, `Dropped the replication slot ${slot.slot} of "${slot.subtask}": ${reason}. ${next}`)
  }
}

function whyTooMuch({ keptBytes }: SlotState, limit: number): string | null {
  if (keptBytes === null) return 'the source has removed a part of its log that was not read yet'
  if (keptBytes <= limit) return null
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2).toLocaleString('en')} MB`
  return `the source kept ${megabytes(keptBytes)} of its log for it, more than the limit of ${megabytes(limit)}`
}

async function warn(ctx: SystemCtx, slot: WatchedSlot, what: string): Promise<void> {
  ctx.log.warn({ slot: slot.slot, integration: slot.integrationCode, block: slot.blockCode }, `${what}.`)
  await noteOnConnection(ctx, slot, what)
}

/** How much of its log the source keeps for each subtask of a block that follows changes. */
export const listBlockSlots = async (ctx: WorkspaceCtx, blockCode: string): Promise<BlockSlot[]> =>
  await findBlockSlots(ctx, blockCode)

/** Before a connection is deleted: afterwards nobody can sign in at the source. Tells which slots are left there. */
export async function dropAbandoned(ctx: SystemCtx, integrationCode: string): Promise<string[]> {
  const slots = await findSlots(ctx, integrationCode)
  await watchConnection(
    ctx,
    slots.filter(({ isLive }) => !isLive),
  ).catch((error: unknown) => {
    ctx.log.warn({ err: error, integration: integrationCode }, 'Replication slots of a source could not be dropped.')
  })
  return (await findSlots(ctx, integrationCode)).map(({ slot }) => slot)
}
