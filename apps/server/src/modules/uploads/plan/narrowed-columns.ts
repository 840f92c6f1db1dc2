import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { PlanColumn } from './load-plan.ts'

type ProfiledColumn = FileProfile['columns'][number]

const [REAL_DIGITS, DOUBLE_DIGITS] = [7, 15]
/** Below 0.001 a real has one digit less. */
const REAL_DECIMALS = REAL_DIGITS + 2
const SIGNS_BESIDE_DECIMALS = 2
const MAX_EXAMPLE = 60

/** Postgres rounds silently; values it refuses become rejected rows. */
export function warnNarrowed(columns: readonly PlanColumn[], { columns: columnProfiles }: FileProfile): string[] {
  return columns.flatMap(({ name, type, source }) => {
    const column = columnProfiles[source]
    const loss = column && findLoss(column, type)
    return loss === undefined ? [] : [`“${name}”: ${loss}`]
  })
}

function findLoss(columnProfile: ProfiledColumn, type: string): string | undefined {
  const likely = columnProfile.likely_type ?? columnProfile.fitting_types[0]
  if (likely === 'timestamp' || likely === 'timestamptz') {
    if (type === 'date') return 'The file has times of day. Only the day is kept, for this is a column of dates.'
    if (/^time\b/.test(type)) return 'The file has days. Only the time of day is kept, for this is a column of times.'
    if (likely === 'timestamptz' && /^timestamp\b(?!.* with time zone)/.test(type))
      return 'The file names time zones. Times are kept as they are written, without their zone.'
  }
  if (likely === 'decimal' || likely === 'float' || likely === 'integer')
    return findLostDigits(columnProfile, likely, type)
  return undefined
}

function findLostDigits(
  columnProfile: ProfiledColumn,
  likely: 'decimal' | 'float' | 'integer',
  type: string,
): string | undefined {
  const scale = /^numeric\(\d+,(-?\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return findLostDecimals(columnProfile, likely, Number(scale))
  const { digits, decimals, past_double: pastDouble, longest } = columnProfile
  const kept = (decimals?.count ?? 0) > REAL_DECIMALS ? REAL_DIGITS - 1 : REAL_DIGITS
  if (type === 'real' && (digits?.count ?? longest) > kept)
    return `Numbers with more than ${kept} digits${quote(digits?.example)} can be rounded, for the column keeps no more.`
  if (type !== 'double precision') return undefined
  return pastDouble !== undefined || (digits === undefined && longest > DOUBLE_DIGITS)
    ? `Numbers with more than ${DOUBLE_DIGITS} digits${quote(pastDouble)} are rounded, for the column keeps no more.`
    : undefined
}

function findLostDecimals(
  columnProfile: ProfiledColumn,
  likely: 'decimal' | 'float' | 'integer',
  scale: number,
): string | undefined {
  if (scale < 0) return `Numbers are rounded to multiples of ${10 ** -scale}, for the column keeps no other ones.`
  const { decimals, longest } = columnProfile
  const count = likely === 'integer' ? 0 : (decimals?.count ?? longest - SIGNS_BESIDE_DECIMALS)
  if (count <= scale) return undefined
  const example = quote(decimals?.example)
  return scale === 0
    ? `Numbers with decimals${example} are rounded to whole ones, for the column keeps no decimals.`
    : `Numbers with more than ${scale} decimals${example} are rounded, for the column keeps no more.`
}

const quote = (example: string | undefined) => (example ? `, such as ${example.slice(0, MAX_EXAMPLE)},` : '')
