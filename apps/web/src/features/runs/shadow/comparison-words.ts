import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import { formatCount } from '../../../ui/data/amounts.ts'

export type Change = 'added' | 'changed' | 'gone' | 'same'

export const CHANGE_LABELS: Record<Change, string> = {
  added: 'New',
  changed: 'Changed',
  gone: 'Gone',
  same: 'The same',
}

export function formatComparison(comparison: Comparison): string {
  const { added, changed, gone, same, has_table, strategy, key } = comparison
  if (!has_table) return `The table would be made, with ${formatCount(added, 'row')}.`
  if (strategy === 'Append' && key.length === 0) return `${formatCount(added, 'row')} would be added.`
  if (added + changed + gone === 0) {
    return same === 0 ? 'Nothing is there to be read: nothing would change.' : 'Nothing would change.'
  }
  const parts = [
    added > 0 && `${formatCount(added, 'row')} would be new`,
    changed > 0 && `${formatCount(changed, 'row')} would change`,
    gone > 0 && `${formatCount(gone, 'row')} would be gone`,
  ].filter((part) => part !== false)
  return `${parts.join(', ')}.`
}

/** In percent, with a visible minimum. */
export function computeShares(comparison: Comparison): { change: Change; rows: number; share: number }[] {
  const all = (['added', 'changed', 'gone', 'same'] as const)
    .map((change) => ({ change, rows: comparison[change] }))
    .filter(({ rows }) => rows > 0)
  const total = all.reduce((sum, { rows }) => sum + rows, 0)
  return all.map((item) => ({ ...item, share: Math.max(1.5, (item.rows / total) * 100) }))
}
