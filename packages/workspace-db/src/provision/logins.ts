import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { parseDatabaseNames } from '../names.ts'
import { isVerifierFor, computePasswordMark, buildScramVerifier } from './credentials.ts'

export const CONNECTIONS_PER_LOGIN = 8

export const EXTERNAL_CONNECTIONS = 24

type RunBudget = Pick<Cluster, 'runSessions'>

export const countWriterConnections = ({ runSessions }: RunBudget): number => CONNECTIONS_PER_LOGIN + runSessions

/** Leaves connections to other workspaces. */
export const countWorkspaceConnections = (cluster: RunBudget): number =>
  EXTERNAL_CONNECTIONS + countWriterConnections(cluster) + CONNECTIONS_PER_LOGIN

/** Only a superuser may set it, so a login cannot change it. */
const TEMP_FILE_LIMIT = 'temp_file_limit=1GB'

interface StoredLogin {
  readonly mark: string | null
  readonly verifier: string | null
  readonly settings: readonly string[]
}

export interface LoginPassword {
  readonly database: string
  readonly user: string
  readonly password: string
}

export function buildLoginSettings(cluster: Pick<Cluster, 'isSuperuser'>, user: string): string[] {
  return cluster.isSuperuser ? [`alter role ${user} set ${TEMP_FILE_LIMIT.replace('=', " = '")}'`] : []
}

async function readLogin(cluster: Cluster, user: string): Promise<StoredLogin | undefined> {
  const catalogue = cluster.isSuperuser ? 'pg_authid' : 'pg_roles'
  const verifierColumn = cluster.isSuperuser ? 'r.rolpassword' : 'null::text'
  const { rows } = await cluster.admin.query<StoredLogin>(
    `select ${verifierColumn} as verifier, shobj_description(r.oid, 'pg_authid') as mark,
            array(select unnest(s.setconfig) from pg_db_role_setting s where s.setrole = r.oid) as settings
       from ${catalogue} r where r.rolname = $1`,
    [user],
  )
  return rows[0]
}

/** SCRAM is slow on purpose, so the last success is cached as a digest. */
function matchesPassword(cluster: Cluster, login: LoginPassword, verifierColumn: string | null): boolean {
  if (verifierColumn === null) return false
  const digest = createHash('sha256').update(`${verifierColumn} ${login.password}`).digest('base64')
  if (cluster.seenVerifiers.get(login.user) === digest) return true
  if (!isVerifierFor(verifierColumn, login.password)) return false
  cluster.seenVerifiers.set(login.user, digest)
  return true
}

/**
 * Logins may change their own password and defaults, which Postgres cannot forbid. Afterwards both are reset, and
 * sessions opened with the new password are terminated. Without superuser, the password is reset when it is refused.
 * True if defaults had changed.
 */
export async function restoreLogin(cluster: Cluster, login: LoginPassword): Promise<boolean> {
  const storedLogin = await readLogin(cluster, login.user)
  if (!storedLogin) return false
  const haveDefaultsChanged = storedLogin.settings.join(',') !== (cluster.isSuperuser ? TEMP_FILE_LIMIT : '')
  if (haveDefaultsChanged) {
    await cluster.admin.query(`alter role ${login.user} reset all`)
    await cluster.admin.query(`alter role ${login.user} in database ${login.database} reset all`)
    for (const statement of buildLoginSettings(cluster, login.user)) await cluster.admin.query(statement)
  }
  // A caller with outdated credentials must not restore them.
  if (!cluster.isSuperuser || storedLogin.mark !== computePasswordMark(login.password)) return haveDefaultsChanged
  if (!matchesPassword(cluster, login, storedLogin.verifier)) await resetPassword(cluster, login)
  return haveDefaultsChanged
}

/** True if the refused password is the right one, which is then restored. */
export async function repairPassword(cluster: Cluster, login: LoginPassword): Promise<boolean> {
  const storedLogin = await readLogin(cluster, login.user)
  if (storedLogin?.mark !== computePasswordMark(login.password)) return false
  // Another session may have repaired it; a second reset would terminate that session.
  if (!matchesPassword(cluster, login, storedLogin.verifier)) await resetPassword(cluster, login)
  return true
}

/** For workspaces created with lower limits. True if any was raised. */
export async function raiseConnectionLimits(cluster: Cluster, database: string): Promise<boolean> {
  const { readWrite } = parseDatabaseNames(database)
  const limits = { writer: countWriterConnections(cluster), workspace: countWorkspaceConnections(cluster) }
  const { rows } = await cluster.admin.query<{ writer: boolean; workspace: boolean }>(
    `select r.rolconnlimit between 0 and $3 - 1 as writer, d.datconnlimit between 0 and $4 - 1 as workspace
       from pg_roles r, pg_database d where r.rolname = $1 and d.datname = $2`,
    [readWrite, database, limits.writer, limits.workspace],
  )
  const lowLimits = rows[0]
  if (lowLimits?.writer) await cluster.admin.query(`alter role ${readWrite} connection limit ${limits.writer}`)
  if (lowLimits?.workspace) await cluster.admin.query(`alter database ${database} connection limit ${limits.workspace}`)
  return lowLimits?.writer === true || lowLimits?.workspace === true
}

async function resetPassword(cluster: Cluster, login: LoginPassword): Promise<void> {
  await cluster.admin.query(`alter role ${login.user} login password '${buildScramVerifier(login.password)}'`)
  await cluster.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login.user])
}
