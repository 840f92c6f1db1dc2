export interface Paging {
  readonly page: number
  readonly pages: number
  readonly total: number
  readonly limit: number
  readonly offset: number
}

export function toPaging({ total, page, size }: { total: number; page: number; size: number }): Paging {
  const pages = Math.max(1, Math.ceil(total / size))
  const own = Math.min(page, pages)
  return { page: own, pages, total, limit: size, offset: (own - 1) * size }
}
