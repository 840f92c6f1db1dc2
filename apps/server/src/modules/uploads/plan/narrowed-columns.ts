import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { PlanColumn } from './load-plan.ts'

type ProfiledColumn = FileProfile['columns'][number]

const [REAL_DIGITS, DOUBLE_DIGITS] = [7, 15]
/** Below 0.001 a real has one digit less. */
const REAL_DECIMALS = REAL_DIGITS + 2
const NON_DECIMAL_CHARACTERS = 2
const MAX_EXAMPLE = 60

/** Postgres rounds silently; values it refuses become rejected rows. */
export function listNarrowingWarnings(
  columns: readonly PlanColumn[],
  { columns: columnProfiles }: FileProfile,
): string[] {
  return columns.flatMap(({ name, type, source }) => {
    const column = columnProfiles[source]
    const loss = column && describeLoss(column, type)
    return loss === undefined ? [] : [`“${name}”: ${loss}`]
  })
}

function describeLoss(columnProfile: ProfiledColumn, type: string): string | undefined {
  const likelyType = columnProfile.likely_type ?? columnProfile.fitting_types[0]
  if (likelyType === 'timestamp' || likelyType === 'timestamptz') {
    if (type === 'date') return 'The file has times of day. Only the day is kept, for this is a column of dates.'
    if (/^time\b/.test(type)) return 'The file has days. Only the time of day is kept, for this is a column of times.'
    if (likelyType === 'timestamptz' && /^timestamp\b(?!.* with time zone)/.test(type))
      return 'The file names time zones. Times are kept as they are written, without their zone.'
  }
  if (likelyType === 'decimal' || likelyType === 'float' || likelyType === 'integer')
    return describeLostDigits(columnProfile, likelyType, type)
  return undefined
}

function describeLostDigits(
  columnProfile: ProfiledColumn,
  likelyType: 'decimal' | 'float' | 'integer',
  type: string,
): string | undefined {
  const scale = /^numeric\(\d+,(-?\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return describeLostDecimals(columnProfile, likelyType, Number(scale))
  const { digits, decimals, past_double: pastDouble, longest } = columnProfile
  const keptDigits = (decimals?.count ?? 0) > REAL_DECIMALS ? REAL_DIGITS - 1 : REAL_DIGITS
  if (type === 'real' && (digits?.count ?? longest) > keptDigits)
    return `Numbers with more than ${keptDigits} digits${formatExample(digits?.example)} can be rounded, for the column keeps no more.`
  if (type !== 'double precision') return undefined
  return pastDouble !== undefined || (digits === undefined && longest > DOUBLE_DIGITS)
    ? `Numbers with more than ${DOUBLE_DIGITS} digits${formatExample(pastDouble)} are rounded, for the column keeps no more.`
    : undefined
}

function describeLostDecimals(
  columnProfile: ProfiledColumn,
  likelyType: 'decimal' | 'float' | 'integer',
  scale: number,
): string | undefined {
  if (scale < 0) return `Numbers are rounded to multiples of ${10 ** -scale}, for the column keeps no other ones.`
  const { decimals, longest } = columnProfile
  const count = likelyType === 'integer' ? 0 : (decimals?.count ?? longest - NON_DECIMAL_CHARACTERS)
  if (count <= scale) return undefined
  const example = formatExample(decimals?.example)
  return scale === 0
    ? `Numbers with decimals${example} are rounded to whole ones, for the column keeps no decimals.`
    : `Numbers with more than ${scale} decimals${example} are rounded, for the column keeps no more.`
}

const formatExample = (example: string | undefined) => (example ? `, such as ${example.slice(0, MAX_EXAMPLE)},` : '')
