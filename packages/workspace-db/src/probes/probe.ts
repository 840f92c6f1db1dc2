/** The last statement must be refused. */
export interface Probe {
  readonly name: string
  readonly sql: string | readonly string[]
  readonly why: string
  readonly as?: 'rw' | 'ro'
  /** Expected SQLSTATE, by default 42501: another error proves nothing. */
  readonly state?: string
}

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
