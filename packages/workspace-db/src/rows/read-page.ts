import type { CatalogueTable } from '../catalogue/find-table.ts'
import type { Session } from '../session.ts'
import type { Value } from '../session/portal.ts'
import { encodeCursor, encodeKey } from './cursor.ts'
import { explainValueFault } from './filters.ts'
import { OFFSET_CAP, type PagePlan, type PageRequest, planPage } from './plan-page.ts'
import { truncateCell } from './cut-cell.ts'

interface PageRow {
  readonly key: string | null
  readonly cells: readonly Value[]
  readonly cut: readonly number[]
}

export interface Page {
  readonly rows: readonly PageRow[]
  readonly next: string | null
  readonly note: string | null
}

/** Disables index and parallel scans, which would change the physical order. */
const FORCE_PHYSICAL_ORDER = `select set_config('enable_indexscan', 'off', false), set_config('enable_indexonlyscan', 'off', false),
  set_config('max_parallel_workers_per_gather', '0', false), set_config('synchronize_seqscans', 'off', false)`

/** Never counts rows. Cost does not depend on the page unless `note` is set. */
export async function readPage(session: Session, table: CatalogueTable, request: PageRequest): Promise<Page> {
  const plan = planPage(table, request)
  if (plan.way === 'places') await session.query({ text: FORCE_PHYSICAL_ORDER })
  const rows: (readonly Value[])[] = []
  let isCut = false
  try {
    for (const step of plan.steps) {
      const { text, values } = step.statement(request.limit + 1 - rows.length)
      const result = await session.query({ text, values })
      rows.push(...result.rows)
      isCut = result.cutAt !== undefined
      if (isCut || rows.length > request.limit) break
    }
  } catch (fault) {
    throw await explainValueFault(session, table, { filters: request.filters, fault })
  }
  const hasMore = isCut || rows.length > request.limit
  const keptRows = rows.slice(0, request.limit)
  return { rows: keptRows.map((row) => toRow(plan, row)), ...toNextPage(plan, { hasMore, kept: keptRows }) }
}

interface ReadRows {
  hasMore: boolean
  kept: readonly (readonly Value[])[]
}

function toNextPage(plan: PagePlan, { hasMore, kept }: ReadRows): Pick<Page, 'next' | 'note'> {
  const last = kept.at(-1)
  if (!hasMore || !last) return { next: null, note: plan.note }
  const [place, key, value] = last
  if (plan.way === 'offset') {
    const cursor = {
      scope: plan.cursorScope,
      phase: 'values',
      value: null,
      tie: [],
      offset: plan.offset + kept.length,
    } as const
    return { next: cursor.offset < OFFSET_CAP ? (encodeCursor(cursor) ?? null) : null, note: plan.note }
  }
  const phase = plan.hasNulls && value === null ? 'nulls' : 'values'
  const tie = plan.listTies({ place: place ?? null, key: key ?? null })
  const next = encodeCursor({ scope: plan.cursorScope, phase, value: value ?? null, tie, offset: 0 })
  if (next !== undefined) return { next, note: plan.note }
  return { next: null, note: 'The values of the sort column are too long to go on from here. Sort by another column.' }
}

function toRow(plan: PagePlan, [place, key, , ...texts]: readonly Value[]): PageRow {
  const cells: Value[] = []
  const cut: number[] = []
  for (const [columnIndex, text] of texts.entries()) {
    const cell = text === null ? null : truncateCell(text)
    if (cell !== text) cut.push(columnIndex)
    cells.push(cell)
  }
  return { key: buildRowKey(plan, place ?? null, key ?? null), cells, cut }
}

function buildRowKey(plan: PagePlan, place: Value, key: Value): string | null {
  if (key !== null) return encodeKey({ primary: JSON.parse(key) as string[] })
  return place !== null && plan.hasPlaces ? encodeKey({ place }) : null
}
