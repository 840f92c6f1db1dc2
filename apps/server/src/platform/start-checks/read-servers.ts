import { withClient } from '@trellis/control-db/connect'
import type pg from 'pg'
import type { Config } from '../config.ts'

export interface Server {
  readonly setting: string
  readonly version: string
  readonly major: number
  readonly isReplica: boolean
  readonly login: string
  readonly bypassesRowSecurity: boolean
  readonly canAdminister: boolean
  /** A pooler reports another backend's session. */
  readonly isPooler: boolean
}

export interface Address {
  readonly setting: string
  readonly url: string
}

export function listAddresses(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'clusterUrl'>,
): [Address, ...Address[]] {
  const { databaseUrl: url = '', databaseDirectUrl, clusterUrl } = config
  const others = [
    { setting: 'TRELLIS_DATABASE_DIRECT_URL', url: databaseDirectUrl },
    { setting: 'TRELLIS_CLUSTER_URL', url: clusterUrl },
  ]
  return [
    { setting: 'TRELLIS_DATABASE_URL', url },
    ...others.flatMap((item) => (item.url === undefined || item.url === url ? [] : [{ ...item, url: item.url }])),
  ]
}

const CONNECT_MS = 10_000

export async function readServers([first, ...rest]: [Address, ...Address[]]): Promise<[Server, ...Server[]]> {
  return [await readServer(first), ...(await Promise.all(rest.map(readServer)))]
}

async function readServer({ setting, url }: Address): Promise<Server> {
  const config = { connectionString: url, application_name: 'trellis-start', connectionTimeoutMillis: CONNECT_MS }
  const { rows } = await withClient(config, (client) =>
    client.query<Omit<Server, 'setting'>>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
              pg_is_in_recovery() as "isReplica", current_user::text as login,
              rolsuper or rolbypassrls as "bypassesRowSecurity",
              rolsuper or (rolcreatedb and rolcreaterole) as "canAdminister",
              pg_backend_pid() <> $1::bigint as "isPooler"
         from pg_roles where rolname = current_user`,
      [(client as pg.Client & { readonly processID: number }).processID],
    ),
  )
  return { setting, ...(rows[0] as Omit<Server, 'setting'>) }
}
