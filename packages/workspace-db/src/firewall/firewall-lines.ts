import { parseDatabaseNames } from '../names.ts'
import { EXTERNAL, LOGIN_SUFFIXES, loginName, type NamedProfile } from '../roles/access-names.ts'

/** One live rule of one workspace's database. */
export interface FirewallLine {
  readonly database: string
  /** The profile it lets in; every login for outside tools of the database when none is named. */
  readonly profile: NamedProfile | null
  /** With a prefix length and no bits set after it. */
  readonly cidr: string
}

const HEADER = '# Written by Trellis from the firewall rules of all workspaces. Changes made here are lost.'
// A file that was cut off while being written must be told from a whole one before the server starts with it.
const FOOTER = '# end'
const LOGIN = '[a-z][a-z0-9_]{2,62}'
const LINE = new RegExp(
  `^host (w_[0-9a-f]{16}) (?:\\+${EXTERNAL}|${LOGIN}(?:,${LOGIN})*) [0-9a-f.:]{2,45}/\\d{1,3} scram-sha-256$`,
)

/**
 * `host` with and without TLS: where the server offers TLS, a line before these turns away whoever comes without it.
 * Names and address are put into a file that decides who gets in, so a line of any other shape is never written.
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

/** The rules of a file as it is; what is no rule of ours is left out. */
export function readLines(text: string): { database: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const database = LINE.exec(line)?.[1]
    return database === undefined ? [] : [{ database, line }]
  })
}
