export const DAY = 86_400_000
/** Where invented histories begin. */
const BEGIN = Date.parse('2026-06-01T00:00:00Z')

/** Things that come one after the other at a steady pace: as many as there are by now. */
export const countUntil = (now: Date, hours: number): number =>
  Math.max(0, Math.floor((now.getTime() - BEGIN) / (hours * 3_600_000)))

export const bornAt = (index: number, hours: number): number => BEGIN + index * hours * 3_600_000

/** The last of these instants that has passed, counted in days from birth; birth itself when none has. */
export function lastChange(born: number, days: readonly number[], now: Date): { at: number; step: number } {
  const passed = days.filter((day) => born + day * DAY <= now.getTime())
  return { at: born + (passed.at(-1) ?? 0) * DAY, step: passed.length }
}

export const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init)
