import { randomBytes } from 'node:crypto'
import { withClient } from '@trellis/control-db/connect'
import { makeWorkspace } from '../../bench/workspace.ts'
import { type Databases, openPatientPools } from '../patient-pools.ts'
import { type Proxy, startProxy } from '../proxy.ts'
import { runAdmin } from '../run-admin.ts'
import { BUCKET, startBucket } from '../start-bucket.ts'
import { readLogins } from './deploy-files.ts'
import type { Cluster } from './start-cluster.ts'

export interface Installation extends Databases {
  readonly env: Readonly<Record<string, string>>
  readonly directUrl: string
  readonly proxies: readonly Proxy[]
}

/** The checks' own connections count towards the workspace's limit. */
const MAX_OWN_CONNECTIONS = 3

export async function openInstallation(
  cluster: Cluster,
  { home, undo }: { home: string; undo: (() => Promise<unknown>)[] },
): Promise<Installation> {
  const { passwords, haproxyPort, pgbouncerPort } = cluster
  const address = (login: string, port: number, database: string) => `postgres://${login}@127.0.0.1:${port}/${database}`
  const superuserUrl = address(`postgres:${passwords.superuser}`, haproxyPort, 'postgres')
  const logins = { APP_PASSWORD: passwords.app, OWNER_PASSWORD: passwords.owner, ADMIN_PASSWORD: passwords.admin }
  await withClient({ connectionString: superuserUrl }, async (client) => {
    for (const statement of readLogins(logins)) await client.query(statement)
  })
  const bucketPort = await startBucket(home, undo)
  const proxies: Proxy[] = []
  const through = async (port: number) => {
    const proxy = await startProxy(() => port)
    undo.push(() => proxy.close())
    proxies.push(proxy)
    return proxy.port
  }
  const [pooler, direct, bucket] = [await through(pgbouncerPort), await through(haproxyPort), await through(bucketPort)]
  const env = {
    NODE_ENV: 'production',
    TRELLIS_HOME: home,
    TRELLIS_PUBLIC_URL: 'http://localhost:4600',
    TRELLIS_LOG_LEVEL: 'warn',
    TRELLIS_ALLOW_PRIVATE_HOSTS: 'on',
    TRELLIS_DEMO: 'off',
    TRELLIS_RATE_LIMITS: 'off',
    TRELLIS_DATABASE_URL: address(`trellis_app:${passwords.app}`, pooler, 'trellis'),
    TRELLIS_DATABASE_DIRECT_URL: address(`trellis_app:${passwords.app}`, direct, 'trellis'),
    TRELLIS_CLUSTER_URL: address(`trellis_admin:${passwords.admin}`, direct, 'postgres'),
    TRELLIS_ROOT_KEY: randomBytes(32).toString('base64'),
    TRELLIS_S3_BUCKET: BUCKET,
    TRELLIS_S3_ENDPOINT: `http://127.0.0.1:${bucket}`,
    TRELLIS_S3_ACCESS_KEY_ID: 'S3RVER',
    TRELLIS_S3_SECRET_ACCESS_KEY: 'S3RVER',
    TRELLIS_RUNS: '3',
    TRELLIS_RUNS_PER_WORKSPACE: '20',
    TRELLIS_RUNS_PER_CONNECTION: '20',
    TRELLIS_LOAD_ROWS: '300',
  }
  const owner = address(`trellis_owner:${passwords.owner}`, haproxyPort, 'trellis')
  await runAdmin(['migrate'], { ...env, TRELLIS_DATABASE_OWNER_URL: owner })
  const { accountId, workspace, database, close } = await makeWorkspace(env, 'chaos')
  await close()
  const ask = openPatientPools(superuserUrl, MAX_OWN_CONNECTIONS)
  undo.push(() => ask.close())
  return {
    accountId,
    workspaceId: workspace.id,
    control: (text, values) => ask('trellis', text, values),
    data: (text, values) => ask(database.database, text, values),
    env,
    directUrl: address(`trellis_app:${passwords.app}`, haproxyPort, 'trellis'),
    proxies,
  }
}
