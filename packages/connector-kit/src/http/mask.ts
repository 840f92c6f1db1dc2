const MASK = '•••'
/** Masking shorter secrets would garble ordinary words. */
const SHORTEST = 4

/** Masks a secret verbatim, URL-encoded and inside Basic auth. */
export function maskSecrets(text: string, secrets: readonly string[] = []): string {
  const spellings = secrets.filter((secret) => secret.length >= SHORTEST).flatMap((secret) => listSpellings(secret))
  // Longest first: one secret may contain another.
  return spellings
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, MASK), text)
}

function listSpellings(secret: string): string[] {
  const form = new URLSearchParams({ s: secret }).toString().slice(2)
  const quoted = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, encodeURIComponent(secret), form, quoted])]
}
