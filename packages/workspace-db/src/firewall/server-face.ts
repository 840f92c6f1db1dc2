import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { getPreferredAddress } from '@trellis/postgres-client/client'
import { readAddress } from '@trellis/postgres-client/address'
import type { Cluster } from '../cluster.ts'

export interface ServerEndpoint {
  readonly host: string
  readonly port: number
  readonly listens: readonly string[]
  readonly hasTls: boolean
  /** Self-signed: clients need a copy. */
  readonly certificate: string | null
  isNamed(host: string): boolean
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

export const acceptsRemoteConnections = (server: ServerEndpoint): boolean =>
  server.listens.some((address) => !LOOPBACK.test(address))

export async function readServerEndpoint(cluster: Cluster): Promise<ServerEndpoint> {
  const { connectionString = '' } = cluster.loginConfig({ database: 'x', user: 'x', password: 'x' })
  // People's tools take one host: the one that answers now.
  const [preferredHost] = readAddress(getPreferredAddress(connectionString)).hosts
  const { rows } = await cluster.admin.query<{ listens: string; tls: boolean }>(
    "select current_setting('listen_addresses') as listens, current_setting('ssl')::bool as tls",
  )
  const pem = cluster.firewallFile !== null && rows[0]?.tls ? await readCertificate(cluster) : null
  const certificate = pem === null ? null : new X509Certificate(pem)
  return {
    host: preferredHost?.host ?? '',
    port: preferredHost?.port ?? 0,
    listens: (rows[0]?.listens ?? '').split(',').map((address) => address.trim()),
    hasTls: rows[0]?.tls ?? false,
    certificate: certificate && certificate.issuer === certificate.subject ? pem : null,
    isNamed: (host) => (isIP(host) ? certificate?.checkIP(host) : certificate?.checkHost(host)) !== undefined,
  }
}

async function readCertificate(cluster: Cluster): Promise<string | null> {
  const { rows } = await cluster.admin.query<{ text: string }>(
    "select pg_read_file(current_setting('ssl_cert_file')) as text",
  )
  return rows[0]?.text ?? null
}
