import type { Duration, DurationUnit } from './plan.ts'

const SECONDS_PER_UNIT: Readonly<Record<DurationUnit, number>> = { minutes: 60, hours: 3600, days: 86_400 }

/** In Postgres, date - date is an integer and timestamp - timestamp an interval. */
export function buildDurationSql({ from, to, unit }: Duration, dateSql: { from: string; to: string }): string {
  const difference = `${dateSql.to} - ${dateSql.from}`
  if (from.kind !== 'date' || to.kind !== 'date') return `extract(epoch from ${difference}) / ${SECONDS_PER_UNIT[unit]}`
  const unitsPerDay = SECONDS_PER_UNIT.days / SECONDS_PER_UNIT[unit]
  return unitsPerDay === 1 ? difference : `(${difference}) * ${unitsPerDay}`
}
