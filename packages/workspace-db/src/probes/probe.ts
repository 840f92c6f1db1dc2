/** A hostile statement, or a group of them on one session of which the last must be refused. */
export interface Probe {
  readonly name: string
  readonly sql: string | readonly string[]
  readonly why: string
  /** Who tries it; both unless said otherwise. */
  readonly as?: 'rw' | 'ro'
  /** Postgres' code of the refusal, `42501` (no right) unless said otherwise: failing for another reason is no proof. */
  readonly state?: string
}

/** Names a probe may use, written as `{word}`. */
export interface ProbeWords {
  readonly database: string
  readonly owner: string
  readonly reader: string
  readonly readWrite: string
  readonly readOnly: string
  readonly neighbour: string
  readonly neighbourOwner: string
  readonly neighbourLogin: string
  readonly admin: string
}

export function toStatements(probe: Probe, words: ProbeWords): string[] {
  const texts = typeof probe.sql === 'string' ? [probe.sql] : probe.sql
  return texts.map((text) => text.replaceAll(/\{(\w+)\}/g, (found, word: string) => readWord(words, word) ?? found))
}

function readWord(words: ProbeWords, word: string): string | undefined {
  return Object.entries(words).find(([name]) => name === word)?.[1]
}
