import type { SlotState } from '@trellis/connector-kit/change-log'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { notifyOfDroppedSlot } from '../../dataflows/alerts.service.ts'
import {
  SLOT_PREFIX,
  type WatchedSlot,
  dropUnread,
  findSlots,
  abandonSlot,
  openChangeLog,
  updateSlot,
  warnAboutSlot,
} from '../../integrations/slots/slots.service.ts'

/** A source retains WAL for an unused slot until its disk is full. */
export async function watchSlots(ctx: SystemCtx): Promise<void> {
  const slots = await findSlots(ctx)
  for (const [integration, ownWatchedSlots] of Map.groupBy(slots, ({ integrationCode }) => integrationCode)) {
    await watchConnection(ctx, ownWatchedSlots).catch((error: unknown) => {
      ctx.log.warn({ err: error, integration }, 'The replication slots of a source could not be checked.')
    })
  }
}

async function watchConnection(ctx: SystemCtx, slots: readonly WatchedSlot[]): Promise<void> {
  const [first] = slots
  if (!first) return
  const open = await openChangeLog(ctx, first)
  if (!open) {
    for (const slot of slots) await abandonSlot(ctx, slot)
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

interface SlotWatch {
  readonly state: SlotState | undefined
  readonly drop: () => Promise<void>
}

async function watchLive(ctx: SystemCtx, slot: WatchedSlot, { state, drop }: SlotWatch): Promise<void> {
  const reason = state && !slot.isDropped ? findLimitReason(state, ctx.ports.config.slotLimitBytes) : null
  if (reason !== null) await drop()
  await updateSlot(ctx, slot.id, {
    keptBytes: reason === null ? (state?.keptBytes ?? null) : null,
    droppedBecause: reason,
  })
  if (reason !== null) {
    const next = 'The next run reads the whole table again'
    const what = `Dropped the replication slot ${slot.slot} of "${slot.subtask}": ${reason}. ${next}`
    await warnAboutSlot(ctx, slot, what)
    await notifyOfDroppedSlot(ctx, slot.blockCode, `${what}.`)
  }
}

function findLimitReason({ keptBytes }: SlotState, limit: number): string | null {
  if (keptBytes === null) return 'the source has removed a part of its log that was not read yet'
  if (keptBytes <= limit) return null
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2).toLocaleString('en')} MB`
  return `the source kept ${megabytes(keptBytes)} of its log for it, more than the limit of ${megabytes(limit)}`
}
