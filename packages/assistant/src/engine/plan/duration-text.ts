import type { Duration, DurationUnit } from './plan.ts'

const SECONDS: Readonly<Record<DurationUnit, number>> = { minutes: 60, hours: 3600, days: 86_400 }

/** In Postgres, date - date is an integer and timestamp - timestamp an interval. */
export function toDurationText({ from, to, unit }: Duration, texts: { from: string; to: string }): string {
  const difference = `${texts.to} - ${texts.from}`
  if (from.kind !== 'date' || to.kind !== 'date') return `extract(epoch from ${difference}) / ${SECONDS[unit]}`
  const perDay = SECONDS.days / SECONDS[unit]
  return perDay === 1 ? difference : `(${difference}) * ${perDay}`
}
