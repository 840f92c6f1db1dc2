import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { PlanColumn } from './load-plan.ts'

type Found = FileProfile['columns'][number]

const [REAL_DIGITS, DOUBLE_DIGITS] = [6, 15]
/** A digit, the point and one decimal more than the column keeps. */
const SHORTEST_BEYOND = 3

/** Postgres leaves away without a word what a type has no room for. A value it refuses is a rejected row instead. */
export function warnNarrowed(columns: readonly PlanColumn[], { columns: found }: FileProfile): string[] {
  return columns.flatMap(({ name, type, source }) => {
    const column = found[source]
    const loss = column && findLoss(column, type)
    return loss === undefined ? [] : [`“${name}”: ${loss}`]
  })
}

function findLoss(found: Found, type: string): string | undefined {
  const likely = found.likely_type ?? found.fitting_types[0]
  if (likely === 'timestamp' || likely === 'timestamptz') {
    if (type === 'date') return 'The file has times of day. Only the day is kept, for this is a column of dates.'
    if (/^time\b/.test(type)) return 'The file has days. Only the time of day is kept, for this is a column of times.'
    if (likely === 'timestamptz' && /^timestamp\b(?!.* with time zone)/.test(type))
      return 'The file names time zones. Times are kept as they are written, without their zone.'
  }
  if (likely === 'decimal' || likely === 'float' || likely === 'integer') return findLostDigits(found, likely, type)
  return undefined
}

function findLostDigits({ longest }: Found, likely: 'decimal' | 'float' | 'integer', type: string): string | undefined {
  const scale = /^numeric\(\d+,(\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined && likely !== 'integer' && longest >= Number(scale) + SHORTEST_BEYOND)
    return scale === '0'
      ? 'Numbers are rounded to whole ones, for the column keeps no decimals.'
      : `Numbers with more than ${scale} decimals are rounded, for the column keeps no more.`
  const digits = type === 'real' ? REAL_DIGITS : type === 'double precision' ? DOUBLE_DIGITS : undefined
  return digits !== undefined && longest > digits
    ? `Numbers with more than ${digits} digits are rounded, for the column keeps no more.`
    : undefined
}
