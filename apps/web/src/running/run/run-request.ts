import { findDateRangeProblems, type HistoricDateRange } from '@trellis/contract/formas/historic-date-range'
import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { ExecuteBlock, TaskRun } from '@trellis/contract/runs/runs.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'

export interface RunnableBlock {
  task_block_trellis_code: string
  name: string
  kind: ActivityKind
  published_version: number | null
  waits_for?: readonly string[]
}

export interface RunDialogProps {
  address: WorkspaceAddress
  blocks: readonly RunnableBlock[]
  onClose: () => void
  watchPath?: string
  onStarted?: (run: TaskRun) => void
}

export type ReadMode = 'new' | 'window' | 'full'
export type Scope = 'block' | 'from_here' | 'shadow'
export interface RunWish {
  scope: Scope
  reading: ReadMode
  range: HistoricDateRange | undefined
  overrides: FormaValues
}

const START_WORDS: Record<ReadMode, string> = {
  new: 'Run now',
  window: 'Start the backfill',
  full: 'Run a full refresh',
}
export const describeStart = ({ scope, reading }: RunWish): string =>
  scope === 'shadow' ? 'Start the dry run' : START_WORDS[reading]

export function findWishProblem(wish: RunWish, today: string): string | undefined {
  if (wish.reading !== 'window') return undefined
  if (!wish.range) return 'Choose the days to read.'
  const { startDate, endDate } = findDateRangeProblems(wish.range, today)
  return startDate ?? endDate
}

export function toRunBody(wish: RunWish, today: string): z.input<typeof ExecuteBlock> {
  const { scope, reading, range, overrides } = wish
  const from = range?.startDate
  const to = range?.dataTimeframe === 'rangeDates' ? (range.endDate ?? today) : today
  return {
    ...(scope === 'shadow' ? { is_shadow: true } : { scope }),
    ...(reading === 'window' && from && { window: { from, to } }),
    ...(reading === 'full' && { is_full: true }),
    ...(Object.values(overrides).some((section) => Object.keys(section).length > 0) && { overrides }),
  }
}

/** Source settings one run may override. Empty ones fall back to the block's. */
export function overridesForma(elements: readonly { section: string; element: FormaElement }[]): Forma {
  // A source with several query types has the same element once per type.
  const once = new Map(
    elements
      // The backfill range replaces it.
      .filter(({ element }) => element.type !== 'historic_date_range')
      .map((element) => [`${element.section}.${element.element.reference}`, element]),
  )
  const bySection = Map.groupBy(once.values(), ({ section }) => section)
  return {
    forma_trellis_code: 'overrides',
    title: 'For this run only',
    sections: [...bySection].map(([reference, own], order) => ({
      reference,
      order,
      title: order === 0 ? 'For this run only' : 'Also for this run only',
      is_required: false,
      elements: own.map(({ element }) => ({ ...element, is_optional: true, default: undefined })),
    })),
  }
}
