import type { DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import { formatCount } from '../../../ui/data/amounts.ts'

/** `3 loaded tables, 1 late`. */
export function formatFreshness({ late, new: never, paused, fresh }: DataflowHealth['table_counts']): string {
  const parts = [formatCount(late + never + paused + fresh, 'loaded table')]
  if (late > 0) parts.push(`${late} late`)
  if (never > 0) parts.push(`${never} not loaded yet`)
  if (paused > 0) parts.push(`${paused} paused`)
  return parts.join(', ')
}
