import { shortCount } from '../../../ui/data/amounts.ts'

/** `n_distinct` of pg_stats: a count above 0, minus a share of the rows below 0; -1 is unique. */
export function describeDistinct(distinct: number, rows: number | null): { share: number | null; text: string } {
  if (distinct === -1) return { share: 1, text: 'All different' }
  if (distinct === 0) return { share: null, text: 'Unknown' }
  if (distinct < 0) {
    const count = rows === null ? null : Math.round(-distinct * rows)
    return {
      share: -distinct,
      text: count === null ? `${Math.round(-distinct * 100)} %` : `about ${shortCount(count)}`,
    }
  }
  return {
    share: rows === null || rows <= 0 ? null : Math.min(1, distinct / rows),
    text: `about ${shortCount(distinct)}`,
  }
}
