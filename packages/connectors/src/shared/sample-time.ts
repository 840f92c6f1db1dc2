export const DAY = 86_400_000
const BEGIN = Date.parse('2026-06-01T00:00:00Z')

export const countUntil = (now: Date, hours: number): number =>
  Math.max(0, Math.floor((now.getTime() - BEGIN) / (hours * 3_600_000)))

export const getCreationTime = (index: number, hours: number): number => BEGIN + index * hours * 3_600_000

export function findLastChange(born: number, days: readonly number[], now: Date): { at: number; step: number } {
  const passed = days.filter((day) => born + day * DAY <= now.getTime())
  return { at: born + (passed.at(-1) ?? 0) * DAY, step: passed.length }
}

export const jsonResponse = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init)
