import { findOpenDatabases } from '@trellis/workspace-db/harden-cluster'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { PostgresClient } from '@trellis/postgres-client/client'
import pg from 'pg'
import { DEFAULT_CLUSTER } from '../../platform/clusters/clusters.repository.ts'
import { checkAdministrator, checkPrimary, checkVersion } from '../../platform/start-checks/check-servers.ts'
import { readServers } from '../../platform/start-checks/read-servers.ts'
import { type ClusterAddress, listClusterAddresses } from '../clusters/cluster-addresses.ts'
import type { Installation } from '../open-installation.ts'
import type { Check, Finding } from './finding.ts'

const check = 'workspaces'

export const checkWorkspaces: Check = async (installation) => {
  const findings: Finding[] = []
  for (const cluster of await listClusterAddresses(installation)) {
    try {
      findings.push(...(await checkCluster(installation, cluster)))
    } catch (error) {
      if (cluster.id === DEFAULT_CLUSTER) throw error
      const detail = `cluster ${cluster.name}: could not be checked: ${(error as Error).message}`
      findings.push({ check, status: 'failed', detail })
    }
  }
  return findings
}

async function checkCluster(installation: Installation, cluster: ClusterAddress): Promise<Finding[]> {
  const admin = new pg.Pool({
    Client: PostgresClient,
    connectionString: cluster.url,
    max: 1,
    application_name: 'trellis-admin',
    options: '-c search_path=pg_catalog',
  })
  admin.on('error', () => undefined)
  try {
    const findings = [
      ...(await checkServer(cluster)),
      ...(await compareDatabases(installation, admin, cluster.id)),
      await checkOpenDatabases(admin),
    ]
    return cluster.id === DEFAULT_CLUSTER ? findings : findings.map((finding) => atCluster(finding, cluster.name))
  } finally {
    await admin.end()
  }
}

const atCluster = (finding: Finding, name: string): Finding => ({
  ...finding,
  detail: `cluster ${name}: ${finding.detail}`,
})

/** The start checks that of the settings. */
async function checkServer({ id, name, url }: ClusterAddress): Promise<Finding[]> {
  if (id === DEFAULT_CLUSTER) return []
  const servers = await readServers([{ setting: `cluster ${name}`, url }])
  const input = { servers, isBuiltIn: false, hasDirectUrl: false }
  return [checkVersion, checkPrimary, checkAdministrator]
    .map((run) => run(input))
    .filter(({ status }) => status !== 'ok')
    .map(({ status, detail }) => ({ check, status, detail }))
}

async function compareDatabases({ control }: Installation, admin: pg.Pool, clusterId: number): Promise<Finding[]> {
  const { rows: found } = await admin.query<{ datname: string }>(
    "select datname from pg_database where datname ~ '^w_[0-9a-f]{16}$'",
  )
  // Read after the databases, since a new workspace has its row first.
  const { rows } = await control.pool.query<{ database_key: string; state: string }>(
    `select database_key, case when removal_started_at is null then state else 'removing' end as state
       from workspaces where database_key is not null and cluster_id = $1`,
    [clusterId],
  )
  const databases = new Set(found.map((row) => row.datname))
  const named = new Map(rows.map((row) => [toWorkspaceNames(row.database_key).database, row.state]))
  const missing = [...named].filter(([name, state]) => state === 'online' && !databases.has(name)).map(([name]) => name)
  const orphans = [...databases].filter((name) => !named.has(name))
  const findings: Finding[] = [
    missing.length === 0
      ? { check, status: 'ok', detail: `all ${named.size} have their database` }
      : { check, status: 'failed', detail: `${missing.length} have no database: ${missing.join(', ')}` },
  ]
  if (orphans.length > 0) {
    findings.push({
      check,
      status: 'warning',
      detail: `${orphans.length} databases without a workspace: ${orphans.join(', ')}`,
    })
  }
  return findings
}

async function checkOpenDatabases(admin: pg.Pool): Promise<Finding> {
  const open = await findOpenDatabases({ admin })
  if (open.length === 0) return { check: 'database access', status: 'ok', detail: 'no database is open to every login' }
  return { check: 'database access', status: 'warning', detail: `every login can connect to ${open.join(', ')}` }
}
