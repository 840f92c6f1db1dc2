import { formatBytes } from '../../ui/data/amounts.ts'

export function formatCursor(cursor: { value: string | null; is_gap_free_up_to: string | null }): string {
  if (cursor.is_gap_free_up_to !== null)
    return `Everything up to ${formatMoment(cursor.is_gap_free_up_to)} is loaded without gaps.`
  if (cursor.value !== null) return `The last run stopped at ${formatMoment(cursor.value)}.`
  return 'No cursor is kept: the next run reads everything.'
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** Cursors are kept in UTC; other values are returned as they are. */
export function formatMoment(value: string): string {
  if (!INSTANT.test(value) || Number.isNaN(Date.parse(value))) return value
  const [day, time = ''] = new Date(value).toISOString().split('T')
  return `${day} ${time.slice(0, 8)} UTC`
}

/** WAL retained by the replication slot. */
export function formatSlot(slot: { kept_bytes: number | null; dropped_because: string | null }): string {
  if (slot.dropped_because !== null)
    return `The replication slot was dropped, because ${slot.dropped_because}. The next run reads the whole table again.`
  if (slot.kept_bytes === null) return 'How much of its log the source keeps for the next run is not known yet.'
  return `The source keeps ${formatBytes(slot.kept_bytes)} of its log for the next run.`
}
