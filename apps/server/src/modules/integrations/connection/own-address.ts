import type { OwnDatabase } from '@trellis/connector-kit/context'
import { PostgresClient } from '@trellis/postgres-client/client'
import type pg from 'pg'

interface OwnServerAddress {
  readonly host: string
  readonly port: number
  readonly ssl: boolean | { rejectUnauthorized?: boolean; ca?: string; cert?: string; key?: string }
}

type Login = Pick<OwnDatabase, 'database' | 'user' | 'password'>

/** Parsed by the driver, so that a source connects with the same TLS as every other session. */
export function toOwnDatabase(config: pg.ClientConfig, { database, user, password }: Login): OwnDatabase {
  const { host, port, ssl } = new PostgresClient(config) as unknown as OwnServerAddress
  const way = typeof ssl === 'object' ? ssl : {}
  const tls = ssl === false ? 'disable' : way.rejectUnauthorized === false ? 'require' : 'verify-full'
  return {
    host,
    port,
    database,
    user,
    password,
    tls,
    ...(way.ca !== undefined && { certificate: way.ca }),
    ...(way.cert !== undefined && way.key !== undefined && { identity: { certificate: way.cert, key: way.key } }),
  }
}
