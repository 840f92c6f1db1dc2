/** Pseudo-random, but deterministic in its arguments. */
export function hashToFraction(...parts: readonly (string | number)[]): number {
  let hash = 2_166_136_261
  for (const letter of parts.join('|')) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

export const hashToInteger = (low: number, high: number, ...parts: readonly (string | number)[]): number =>
  low + Math.floor(hashToFraction(...parts) * (high - low + 1))

/** Share of the final figure known after some days: late clicks and conversions are added to their own day. */
export function getKnownShare(ageDays: number, finalAfterDays: number): number {
  if (ageDays >= finalAfterDays) return 1
  return Math.max(0.4, 0.4 + (0.6 * Math.max(0, ageDays)) / finalAfterDays)
}

export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
