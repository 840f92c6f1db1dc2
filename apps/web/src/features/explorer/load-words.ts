import type { LoadSummary } from '@trellis/contract/explorer/explorer.schemas'
import type * as z from 'zod/mini'
import { formatCount } from '../../ui/data/amounts.ts'

type Load = z.infer<typeof LoadSummary>

const DONE: Record<Load['mode'], (rows: string) => string> = {
  new: (rows) => `New table with ${rows}`,
  append: (rows) => `${rows} appended`,
  replace: (rows) => `Replaced by ${rows}`,
  upsert: (rows) => `${rows} inserted or updated`,
  undo: () => 'Replacement undone',
}

export function loadText(load: Pick<Load, 'mode' | 'rows'>): string {
  return DONE[load.mode](formatCount(load.rows, 'row'))
}
