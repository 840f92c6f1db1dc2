import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { endUserSessions } from './external-sessions.ts'

/** Superuser only. */
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

/** Password first, so that terminated sessions cannot reconnect. */
export async function restoreVerifier(
  cluster: Cluster,
  { user, verifier }: { user: string; verifier: string },
): Promise<void> {
  await cluster.admin.query(`alter role ${user} password ${pg.escapeLiteral(verifier)}`)
  await endUserSessions(cluster, [user])
}
