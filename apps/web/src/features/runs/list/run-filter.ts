import { RUN_STATUSES } from '@trellis/contract/dataflows/dataflow-words'
import { RUN_STARTERS } from '@trellis/contract/runs/runs.schemas'
import { useAddress } from '../../../ui/data/use-address.ts'
import type { RunsWanted } from '../live-runs.ts'

const FILTER_NAMES = ['status', 'block', 'by', 'from', 'to'] as const
export type FilterName = (typeof FILTER_NAMES)[number]
type FilterTexts = Record<FilterName, string>

const DAY = /^\d{4}-\d{2}-\d{2}$/
const CODE = /^[a-z0-9-]{1,60}$/

const findOption = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((candidate) => candidate === text)

/** In the browser's time zone. */
function toTimestamp(day: string | null, isEnd: boolean): string | undefined {
  if (!day || !DAY.test(day)) return undefined
  const date = new Date(`${day}T${isEnd ? '23:59:59.999' : '00:00:00'}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Ignores invalid values of the URL. */
export function parseRunsFilter(params: URLSearchParams): RunsWanted {
  const page = Number(params.get('page') ?? 1)
  const block = params.get('block')
  const filter: RunsWanted = {
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
    status: findOption(RUN_STATUSES, params.get('status')),
    task_block_trellis_code: block && CODE.test(block) ? block : undefined,
    started_by: findOption(RUN_STARTERS, params.get('by')),
    from: toTimestamp(params.get('from'), false),
    to: toTimestamp(params.get('to'), true),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as RunsWanted
}

export function useRunFilter() {
  const { params, put } = useAddress()
  const texts = Object.fromEntries(FILTER_NAMES.map((name) => [name, params.get(name) ?? ''])) as FilterTexts
  return {
    wanted: parseRunsFilter(params),
    texts,
    isFiltered: FILTER_NAMES.some((name) => texts[name] !== ''),
    setFilter: (name: FilterName, value: string) => put({ [name]: value, page: null }),
    clear: () => put({ ...Object.fromEntries(FILTER_NAMES.map((name) => [name, null])), page: null }),
    setPage: (page: number) => put({ page: page === 1 ? null : String(page) }),
    change: put,
  }
}
