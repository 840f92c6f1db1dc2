import { PostgresClient } from '@trellis/postgres-client/client'
import type { Cluster } from '../cluster.ts'
import { readServerEndpoint } from '../firewall/server-face.ts'
import { toWorkspaceNames } from '../names.ts'
import { listLogins } from './find-logins.ts'
import { SQL_STATE } from '../sql-state.ts'

export type LoginProblem = 'unknown' | 'password' | 'firewall' | 'full' | 'unreachable'

export async function tryLogin(
  cluster: Cluster,
  { key, user, password }: { key: string; user: string; password: string },
): Promise<LoginProblem | undefined> {
  const { database } = toWorkspaceNames(key)
  if (!(await listLogins(cluster, { key })).includes(user)) return 'unknown'
  const { hasTls } = await readServerEndpoint(cluster)
  const client = new PostgresClient({
    ...cluster.loginConfig({ database, user, password }),
    ...(hasTls && { ssl: { rejectUnauthorized: false } }),
    application_name: 'trellis connection test',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return undefined
  } catch (error) {
    return toLoginProblem(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function toLoginProblem(error: unknown): LoginProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === SQL_STATE.INVALID_PASSWORD) return 'password'
  if (code === SQL_STATE.INVALID_AUTHORIZATION) return 'firewall'
  if (code === SQL_STATE.TOO_MANY_CONNECTIONS) return 'full'
  return 'unreachable'
}
