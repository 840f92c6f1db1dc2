import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { endUserSessions } from './external-sessions.ts'

/** What the server stores of each login's password. Only a superuser can read it. */
export async function findVerifiers(
  cluster: Cluster,
  users: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await cluster.admin.query<{ name: string; verifier: string | null }>(
    'select rolname as name, rolpassword as verifier from pg_authid where rolname = any($1)',
    [users],
  )
  return new Map(rows.map((row) => [row.name, row.verifier]))
}

/** The password first: a session ended before it could come back with the other one. */
export async function restoreVerifier(
  cluster: Cluster,
  { user, verifier }: { user: string; verifier: string },
): Promise<void> {
  await cluster.admin.query(`alter role ${user} password ${pg.escapeLiteral(verifier)}`)
  await endUserSessions(cluster, [user])
}
