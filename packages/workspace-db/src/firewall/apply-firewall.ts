import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { type FirewallLine, readLines, renderFile, renderLine } from './firewall-lines.ts'

/** Arbitrary, but the same in every process. */
const FIREWALL_LOCK = 7_305_212
const RELOAD_MS = 3_000
const LOOK_MS = 20

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
  const own = change.lines.map((line) => renderLine(line))
  return await cluster.withAdmin(undefined, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [FIREWALL_LOCK])
    const before = await readFile(admin, file)
    const others = await listOtherLines(admin, before, change.databases)
    const wanted = renderFile([...new Set([...others, ...own])].toSorted())
    if (`${wanted.join('\n')}\n` === before) return false
    await writeFile(admin, file, wanted)
    const problem = await findProblem(admin)
    if (problem !== undefined) {
      await writeFile(admin, file, before === '' ? renderFile([]) : before.trimEnd().split('\n'))
      throw new Error(`The server can not read the firewall rules: ${problem}`)
    }
    await reloadServer(admin)
    return true
  })
}

async function readFile(admin: pg.Client, file: string): Promise<string> {
  const { rows } = await admin.query<{ text: string | null }>('select pg_read_file($1, true) as text', [file])
  return rows[0]?.text ?? ''
}

/** Rules of dropped databases are removed, so that a database of the same name does not inherit them. */
async function listOtherLines(admin: pg.Client, text: string, own: readonly string[]): Promise<string[]> {
  const others = readLines(text).filter(({ database }) => !own.includes(database))
  if (others.length === 0) return []
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname = any($1)', [
    [...new Set(others.map(({ database }) => database))],
  ])
  const present = new Set(rows.map((row) => row.datname))
  return others.filter(({ database }) => present.has(database)).map(({ line }) => line)
}

async function writeFile(admin: pg.Client, file: string, lines: readonly string[]): Promise<void> {
  const list = lines.map((line) => pg.escapeLiteral(line)).join(', ')
  await admin.query(
    `copy (select line from unnest(array[${list}]) with ordinality as t(line, n) order by n) to ${pg.escapeLiteral(file)}`,
  )
}

async function findProblem(admin: pg.Client): Promise<string | undefined> {
  const { rows } = await admin.query<{ error: string }>(
    'select error from pg_hba_file_rules where error is not null order by rule_number limit 1',
  )
  return rows[0]?.error
}

/** Waits for the reload, so that the next connection is subject to the new rules. */
async function reloadServer(admin: pg.Client): Promise<void> {
  const loaded = async () => {
    const { rows } = await admin.query<{ at: string }>('select pg_conf_load_time()::text as at')
    return rows[0]?.at
  }
  const before = await loaded()
  await admin.query('select pg_reload_conf()')
  for (const until = Date.now() + RELOAD_MS; Date.now() < until;) {
    if ((await loaded()) !== before) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
