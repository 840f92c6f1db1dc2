/** Numbers that look like chance and are the same in every process: by what they are for, not by when they are asked. */
export function hashToFraction(...parts: readonly (string | number)[]): number {
  let hash = 2_166_136_261
  for (const letter of parts.join('|')) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

export const wholeBetween = (low: number, high: number, ...parts: readonly (string | number)[]): number =>
  low + Math.floor(hashToFraction(...parts) * (high - low + 1))

/** How much of a number is known so many days later: late clicks and conversions are added to the day they belong to. */
export function knownShare(ageDays: number, finalAfterDays: number): number {
  if (ageDays >= finalAfterDays) return 1
  return Math.max(0.4, 0.4 + (0.6 * Math.max(0, ageDays)) / finalAfterDays)
}

export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
