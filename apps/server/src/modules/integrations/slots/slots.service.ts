import type { ChangeLog } from '@trellis/connector-kit/change-log'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { findRunConnection, addConnectionEvent } from '../connection/run-connections.service.ts'
import type { Connection } from '../connections.service.ts'
import { type WatchedSlot, findSlots, deleteSlotRow } from './slots.repository.ts'

export { SLOT_PREFIX, toSlotName } from './slot-name.ts'
export { type WatchedSlot, findSlots, recordSlot, updateSlot } from './slots.repository.ts'

const SOURCE_MS = 20_000

interface OpenChangeLog {
  readonly changeLog: ChangeLog
  readonly context: Connection['context']
}

/** Undefined if the connection was deleted: nobody can sign in at the source any more. */
export async function openChangeLog(ctx: SystemCtx, place: WatchedSlot): Promise<OpenChangeLog | undefined> {
  const signal = AbortSignal.timeout(SOURCE_MS)
  const connection = await findRunConnection(ctx, place, { signal, log: () => undefined })
  if (!connection) return undefined
  const changeLog = connection.connector.source?.changeLog
  // A slot stays recorded until a version that knows the platform can drop it.
  if (!changeLog) throw new AppError('integration_problem', 'This Trellis can not read the change log of the platform.')
  return { changeLog, context: connection.context }
}

export async function abandonSlot(ctx: SystemCtx, slot: WatchedSlot): Promise<void> {
  ctx.log.warn(
    { slot: slot.slot, integration: slot.integrationCode },
    'A replication slot was left at a deleted source.',
  )
  await deleteSlotRow(ctx, slot.id)
}

export async function dropUnread(ctx: SystemCtx, slot: WatchedSlot, drop: () => Promise<void>): Promise<void> {
  await drop()
  await deleteSlotRow(ctx, slot.id)
  await warnAboutSlot(ctx, slot, `Dropped the replication slot ${slot.slot}: no published block reads it any more`)
}

export async function warnAboutSlot(ctx: SystemCtx, slot: WatchedSlot, what: string): Promise<void> {
  ctx.log.warn({ slot: slot.slot, integration: slot.integrationCode, block: slot.blockCode }, `${what}.`)
  await addConnectionEvent(ctx, slot, what)
}

/** Call before deleting a connection; afterwards nobody can sign in. Returns slots that remain. */
export async function dropAbandoned(ctx: SystemCtx, integrationCode: string): Promise<string[]> {
  const unread = (await findSlots(ctx, integrationCode)).filter(({ isLive }) => !isLive)
  await dropAll(ctx, unread).catch((error: unknown) => {
    ctx.log.warn({ err: error, integration: integrationCode }, 'Replication slots of a source could not be dropped.')
  })
  return (await findSlots(ctx, integrationCode)).map(({ slot }) => slot)
}

async function dropAll(ctx: SystemCtx, slots: readonly WatchedSlot[]): Promise<void> {
  const [first] = slots
  const open = first && (await openChangeLog(ctx, first))
  for (const slot of slots) {
    if (open) await dropUnread(ctx, slot, async () => await open.changeLog.dropSlot(open.context, slot.slot))
    else await abandonSlot(ctx, slot)
  }
}
