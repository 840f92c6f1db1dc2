const MASK = '•••'
/** Shorter texts are no secrets worth the name, and masking them would tear words apart. */
const SHORTEST = 4

/** Every spelling under which a secret may come back: as it is, in an address, as part of Basic. */
export function maskSecrets(text: string, secrets: readonly string[] = []): string {
  const spellings = secrets.filter((secret) => secret.length >= SHORTEST).flatMap((secret) => listSpellings(secret))
  // Longest first: one secret may hold another.
  return spellings
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, MASK), text)
}

function listSpellings(secret: string): string[] {
  const form = new URLSearchParams({ s: secret }).toString().slice(2)
  const quoted = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, encodeURIComponent(secret), form, quoted])]
}
