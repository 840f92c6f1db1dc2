import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { type FirewallLine, parseRuleLines, formatRuleFile, formatRuleLine } from './firewall-lines.ts'

/** Arbitrary, but the same in every process. */
const FIREWALL_LOCK = 7_305_212
const RELOAD_TIMEOUT_MS = 3_000
const RELOAD_POLL_MS = 20

export interface FirewallChange {
  /** Their rules are replaced by `lines`; those of other existing databases are kept. */
  readonly databases: readonly string[]
  readonly lines: readonly FirewallLine[]
}

export const canEnforceFirewall = (cluster: Cluster): boolean => cluster.firewallFile !== null

/**
 * Writes pg_hba rules and reloads, one process at a time. An invalid file is reverted first. True if anything changed.
 */
export async function applyFirewall(cluster: Cluster, change: FirewallChange): Promise<boolean> {
  const file = cluster.firewallFile
  if (file === null) return false
  const ownLines = change.lines.map((line) => formatRuleLine(line))
  return await cluster.withAdmin(undefined, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [FIREWALL_LOCK])
    const currentText = await readServerFile(admin, file)
    const otherLines = await listOtherLines(admin, currentText, change.databases)
    const newLines = formatRuleFile([...new Set([...otherLines, ...ownLines])].toSorted())
    if (`${newLines.join('\n')}\n` === currentText) return false
    await writeServerFile(admin, file, newLines)
    const problem = await findRuleError(admin)
    if (problem !== undefined) {
      await writeServerFile(admin, file, currentText === '' ? formatRuleFile([]) : currentText.trimEnd().split('\n'))
      throw new Error(`The server can not read the firewall rules: ${problem}`)
    }
    await reloadServer(admin)
    return true
  })
}

async function readServerFile(admin: pg.Client, file: string): Promise<string> {
  const { rows } = await admin.query<{ text: string | null }>('select pg_read_file($1, true) as text', [file])
  return rows[0]?.text ?? ''
}

/** Rules of dropped databases are removed, so that a database of the same name does not inherit them. */
async function listOtherLines(admin: pg.Client, text: string, ownDatabases: readonly string[]): Promise<string[]> {
  const otherLines = parseRuleLines(text).filter(({ database }) => !ownDatabases.includes(database))
  if (otherLines.length === 0) return []
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname = any($1)', [
    [...new Set(otherLines.map(({ database }) => database))],
  ])
  const existingDatabases = new Set(rows.map((row) => row.datname))
  return otherLines.filter(({ database }) => existingDatabases.has(database)).map(({ line }) => line)
}

async function writeServerFile(admin: pg.Client, file: string, lines: readonly string[]): Promise<void> {
  const literals = lines.map((line) => pg.escapeLiteral(line)).join(', ')
  await admin.query(
    `copy (select line from unnest(array[${literals}]) with ordinality as t(line, n) order by n) to ${pg.escapeLiteral(file)}`,
  )
}

async function findRuleError(admin: pg.Client): Promise<string | undefined> {
  const { rows } = await admin.query<{ error: string }>(
    'select error from pg_hba_file_rules where error is not null order by rule_number limit 1',
  )
  return rows[0]?.error
}

/** Waits for the reload, so that the next connection is subject to the new rules. */
async function reloadServer(admin: pg.Client): Promise<void> {
  const readLoadTime = async () => {
    const { rows } = await admin.query<{ at: string }>('select pg_conf_load_time()::text as at')
    return rows[0]?.at
  }
  const loadTimeBefore = await readLoadTime()
  await admin.query('select pg_reload_conf()')
  for (const giveUpAt = Date.now() + RELOAD_TIMEOUT_MS; Date.now() < giveUpAt;) {
    if ((await readLoadTime()) !== loadTimeBefore) return
    await new Promise((resolve) => setTimeout(resolve, RELOAD_POLL_MS))
  }
}
