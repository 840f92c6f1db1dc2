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
export async function watchReplicationSlots(ctx: SystemCtx): Promise<void> {
  const slots = await findSlots(ctx)
  for (const [integration, connectionSlots] of Map.groupBy(slots, ({ integrationCode }) => integrationCode)) {
    await watchConnection(ctx, connectionSlots).catch((error: unknown) => {
      ctx.log.warn({ err: error, integration }, 'The replication slots of a source could not be checked.')
    })
  }
}

async function watchConnection(ctx: SystemCtx, slots: readonly WatchedSlot[]): Promise<void> {
  const [first] = slots
  if (!first) return
  const changeLogConnection = await openChangeLog(ctx, first)
  if (!changeLogConnection) {
    for (const slot of slots) await abandonSlot(ctx, slot)
    return
  }
  const { changeLog, context } = changeLogConnection
  const existingSlots = await changeLog.listSlots(context, SLOT_PREFIX)
  for (const slot of slots) {
    const state = existingSlots.find(({ name }) => name === slot.slot)
    const dropSlot = async () => await changeLog.dropSlot(context, slot.slot)
    if (slot.isLive) await watchLiveSlot(ctx, slot, { state, dropSlot })
    else await dropUnread(ctx, slot, dropSlot)
  }
}

interface SlotWatch {
  readonly state: SlotState | undefined
  readonly dropSlot: () => Promise<void>
}

async function watchLiveSlot(ctx: SystemCtx, slot: WatchedSlot, { state, dropSlot }: SlotWatch): Promise<void> {
  const reason = state && !slot.isDropped ? findLimitReason(state, ctx.ports.config.slotLimitBytes) : null
  if (reason !== null) await dropSlot()
  await updateSlot(ctx, slot.id, {
    keptBytes: reason === null ? (state?.keptBytes ?? null) : null,
    droppedBecause: reason,
  })
  if (reason !== null) {
    const nextRunText = 'The next run reads the whole table again'
    const message = `Dropped the replication slot ${slot.slot} of "${slot.subtask}": ${reason}. ${nextRunText}`
    await warnAboutSlot(ctx, slot, message)
    await notifyOfDroppedSlot(ctx, slot.blockCode, `${message}.`)
  }
}

function findLimitReason({ keptBytes }: SlotState, limit: number): string | null {
  if (keptBytes === null) return 'the source has removed a part of its log that was not read yet'
  if (keptBytes <= limit) return null
  const formatMegabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2).toLocaleString('en')} MB`
  return `the source kept ${formatMegabytes(keptBytes)} of its log for it, more than the limit of ${formatMegabytes(limit)}`
}
