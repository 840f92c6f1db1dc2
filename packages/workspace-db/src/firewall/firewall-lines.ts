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
const LOGIN_NAME = '[a-z][a-z0-9_]{2,62}'
const RULE_LINE = new RegExp(
  `^host (w_[0-9a-f]{16}) (?:\\+${EXTERNAL}|${LOGIN_NAME}(?:,${LOGIN_NAME})*) [0-9a-f.:]{2,45}/\\d{1,3} scram-sha-256$`,
)

/**
 * `host` with and without TLS: if the server offers TLS, an earlier line rejects plain connections. Validates names and
 * address, since the file decides who may connect.
 */
export function formatRuleLine({ database, profile, cidr }: FirewallLine): string {
  const names = parseDatabaseNames(database)
  const roles =
    profile === null ? `+${EXTERNAL}` : LOGIN_SUFFIXES.map((suffix) => loginName(names, profile, suffix)).join(',')
  const line = `host ${database} ${roles} ${cidr.toLowerCase()} scram-sha-256`
  if (!RULE_LINE.test(line)) throw new Error('This is no firewall rule.')
  return line
}

export const formatRuleFile = (lines: readonly string[]): string[] => [HEADER, ...lines, FOOTER]

export function parseRuleLines(text: string): { database: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const database = RULE_LINE.exec(line)?.[1]
    return database === undefined ? [] : [{ database, line }]
  })
}
