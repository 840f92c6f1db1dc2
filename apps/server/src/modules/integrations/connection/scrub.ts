const HIDDEN = '•••'
/** Masking shorter secrets would garble ordinary sentences. */
const SHORTEST = 4
const SHORTEST_PIECE = 8

export interface Scrub {
  text(text: string): string
  deep<T>(value: T): T
  add(secret: string | undefined): void
}

export function createScrub(secrets: Iterable<string>): Scrub {
  let forms: string[] = []
  const add = (secret: string | undefined) => {
    if (secret === undefined || secret.trim().length < SHORTEST) return
    // Longest first: one secret may contain another.
    forms = [...new Set([...forms, ...listSecretForms(secret)])].toSorted((a, b) => b.length - a.length)
  }
  for (const secret of secrets) add(secret)
  const text = (given: string) => forms.reduce((so, form) => so.replaceAll(form, HIDDEN), given)
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map((item) => deep(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name), deep(inner)]))
  }
  return { text, add, deep: (value) => deep(value) as typeof value }
}

/** Verbatim, URL-encoded, in JSON and in Basic auth. */
function listSecretForms(secret: string): string[] {
  const trimmed = secret.trim()
  const json = JSON.stringify(trimmed).slice(1, -1)
  const uri = encodeURIComponent(trimmed.toWellFormed())
  const lines = trimmed.split(/\r?\n/).filter((line) => line.length >= 20 && line !== trimmed)
  return [
    secret,
    trimmed,
    json,
    uri,
    uri.replaceAll('%20', '+'),
    encodeURIComponent(uri),
    ...lines,
    ...piecesInBase64(trimmed),
  ]
}

/** The part of the base64 that is independent of the secret's offset. */
function piecesInBase64(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const piece = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return piece.length < SHORTEST_PIECE ? [] : [piece, piece.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
