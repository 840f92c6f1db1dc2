import { AI_PAGE } from '@trellis/contract/ai/ai.schemas'

export interface Paging {
  readonly page: number
  readonly pages: number
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** A page beyond the last one is the last one. */
export function toPaging(total: number, page: number): Paging {
  const pages = Math.max(1, Math.ceil(total / AI_PAGE))
  const own = Math.min(page, pages)
  return { page: own, pages, total, limit: AI_PAGE, offset: (own - 1) * AI_PAGE }
}
