import { parseDatabaseNames } from '../names.ts'
import { EXTERNAL, LOGIN_SUFFIXES, loginName, type NamedProfile } from '../roles/access-names.ts'

export interface FirewallLine {
  readonly database: string
  readonly profile: NamedProfile | null
  readonly cidr: string
}

const HEADER = '# Written by Trellis from the firewall rules of all workspaces. Changes made here are lost.'
// Marks a complete file, so that a truncated one is detected before start-up.
const FOOTER = '# end'
const LOGIN = '[a-z][a-z0-9_]{2,62}'
const LINE = new RegExp(
  `^host (w_[0-9a-f]{16}) (?:\\+${EXTERNAL}|${LOGIN}(?:,${LOGIN})*) [0-9a-f.:]{2,45}/\\d{1,3} scram-sha-256$`,
)

/**
 * `host` with and without TLS: if the server offers TLS, an earlier line rejects plain connections. Validates names and
 * address, since the file decides who may connect.
 */
export function renderLine({ database, profile, cidr }: FirewallLine): string {
  const names = parseDatabaseNames(database)
  const who =
    profile === null ? `+${EXTERNAL}` : LOGIN_SUFFIXES.map((suffix) => loginName(names, profile, suffix)).join(',')
  const line = `host ${database} ${who} ${cidr.toLowerCase()} scram-sha-256`
  if (!LINE.test(line)) throw new Error('This is no firewall rule.')
  return line
}

export const renderFile = (lines: readonly string[]): string[] => [HEADER, ...lines, FOOTER]

export function readLines(text: string): { database: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const database = LINE.exec(line)?.[1]
    return database === undefined ? [] : [{ database, line }]
  })
}
