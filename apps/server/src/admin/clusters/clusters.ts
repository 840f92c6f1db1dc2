import { readFileSync } from 'node:fs'
import { readAddress, findAddressProblem } from '@trellis/postgres-client/address'
import { openCluster } from '@trellis/workspace-db/cluster'
import { clusterAddressPlace, clusterReplicaPlace } from '../../platform/clusters/cluster-port.ts'
import { type SecretAddress, createSecretBox } from '../../platform/secrets/secret-box.ts'
import { AdminError, EXIT } from '../admin-error.ts'
import type { AdminCommand, AdminFlags } from '../command.ts'
import type { Installation } from '../open-installation.ts'
import { openExistingKeys } from '../open-secrets.ts'
import { listClusterAddresses } from './cluster-addresses.ts'
import { findReplicaProblem, readSystem } from './read-system.ts'
import {
  type ListedCluster,
  changeCluster,
  deleteCluster,
  findUsedClusters,
  insertCluster,
} from './clusters.repository.ts'

const NAME = /^[a-z][a-z0-9-]{0,39}$/
const HELP = 'See: trellis admin clusters --help'

export async function listStoredClusters({ installation, show }: AdminCommand): Promise<number> {
  const hosts = await listHosts(installation)
  const rows = await findUsedClusters(installation.control)
  const clusters = rows.map(({ address: _, replica: __, ...row }) => ({ ...row, ...hosts.get(row.id) }))
  const lines = clusters.map(
    ({ name, state, workspaces, capacity, bytes, host, replica }) =>
      `${name.padEnd(20)}${state.padEnd(10)}${`${workspaces} of ${capacity ?? 'any number'}`.padEnd(22)}` +
      `${`${(bytes / 1024 ** 3).toFixed(1)} GB`.padEnd(12)}${host}${replica ? `, replica ${replica}` : ''}`,
  )
  show({ clusters }, ['cluster             state     workspaces            size        server', ...lines].join('\n'))
  return EXIT.ok
}

/** Without login and password. */
async function listHosts(installation: Installation) {
  const all = await listClusterAddresses(installation)
  return new Map(
    all.map(({ id, url, replicaUrl }) => [
      id,
      { host: formatHosts(url), replica: replicaUrl === undefined ? null : formatHosts(replicaUrl) },
    ]),
  )
}

const formatHosts = (url: string) =>
  readAddress(url)
    .hosts.map(({ host, port }) => `${host}:${port}`)
    .join(',')

export async function addCluster({ installation, args, flags, show }: AdminCommand): Promise<number> {
  const name = readName(args)
  const url = readUrl(flags['address-file'])
  if (url === undefined)
    throw new AdminError(`Name the file with its address: --address-file <file>. ${HELP}`, EXIT.usage)
  const capacity = readCapacity(flags) ?? null
  await assertUsable(installation, url)
  const address = await seal(installation, clusterAddressPlace(name), url)
  const replica = await sealReplica(installation, { name, url, replicaUrl: readReplicaUrl(flags) })
  if (!(await insertCluster(installation.control, { name, address, replica: replica ?? null, capacity }))) {
    throw new AdminError(`There is a cluster ${name} already. Change it: trellis admin clusters change ${name}`)
  }
  await installation.audit({ action: 'clusterAdded', outcome: 'done', detail: { cluster: name, capacity } })
  show({ name, capacity, host: formatHosts(url) }, `Cluster ${name} is open: new workspaces are placed on it, too.`)
  return EXIT.ok
}

export async function changeStoredCluster({ installation, args, flags, show }: AdminCommand): Promise<number> {
  const cluster = await findNamed(installation, readName(args))
  const url = readUrl(flags['address-file'])
  const replicaUrl = readReplicaUrl(flags)
  const capacity = readCapacity(flags)
  if (flags.open && flags.full) throw new AdminError(`Choose --open or --full. ${HELP}`, EXIT.usage)
  const state = flags.open ? 'open' : flags.full ? 'full' : undefined
  if ([url, replicaUrl, capacity, state].every((item) => item === undefined)) {
    throw new AdminError(`Say what changes. ${HELP}`, EXIT.usage)
  }
  if (url !== undefined && cluster.address === null) {
    throw new AdminError('The address of this cluster is TRELLIS_CLUSTER_URL, or the built-in Postgres.')
  }
  if (replicaUrl !== undefined && cluster.address === null) {
    throw new AdminError('The replica of this cluster is the setting TRELLIS_CLUSTER_REPLICA_URL.')
  }
  if (url !== undefined) await assertUsable(installation, url, cluster.id)
  const address = url === undefined ? undefined : await seal(installation, clusterAddressPlace(cluster.name), url)
  const replica = await sealReplica(installation, { name: cluster.name, url, replicaUrl })
  await changeCluster(installation.control, cluster.id, { address, replica, capacity, state })
  const detail = {
    ...{ cluster: cluster.name, capacity, state, has_new_address: url !== undefined },
    ...(replica !== undefined && { has_replica: replica !== null }),
  }
  await installation.audit({ action: 'clusterChanged', outcome: 'done', detail })
  show({ name: cluster.name }, `Cluster ${cluster.name} is changed.`)
  return EXIT.ok
}

export async function removeCluster({ installation, args, show }: AdminCommand): Promise<number> {
  const cluster = await findNamed(installation, readName(args))
  if (cluster.address === null) throw new AdminError('The cluster of the settings can not be removed.')
  if (!(await deleteCluster(installation.control, cluster.id))) {
    throw new AdminError(
      `Cluster ${cluster.name} still has ${cluster.workspaces} workspaces, deleted ones that can be restored included. Move them: trellis admin clusters drain ${cluster.name}`,
    )
  }
  await installation.audit({ action: 'clusterRemoved', outcome: 'done', detail: { cluster: cluster.name } })
  show({ name: cluster.name }, `Cluster ${cluster.name} is removed. Its server was not touched.`)
  return EXIT.ok
}

function readName([name]: readonly string[]): string {
  if (name === undefined) throw new AdminError(`Name the cluster. ${HELP}`, EXIT.usage)
  if (NAME.test(name)) return name
  throw new AdminError(
    `"${name}" is not a name for a cluster: small letters, digits and hyphens, 40 at most, a letter first.`,
    EXIT.usage,
  )
}

export async function findNamed({ control }: Installation, name: string): Promise<ListedCluster> {
  const usedCluster = (await findUsedClusters(control)).find((cluster) => cluster.name === name)
  if (usedCluster) return usedCluster
  throw new AdminError(`There is no cluster ${name}. See: trellis admin clusters list`)
}

/** From a file: arguments are visible to every user of the machine. */
function readUrl(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  let url: string
  try {
    url = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new AdminError(`${file} can not be read: ${(error as Error).message}`)
  }
  const problem = findAddressProblem(url)
  if (problem !== undefined) throw new AdminError(`The address in ${file} ${problem}.`)
  return url
}

/** Undefined if not given, null for none. */
function readReplicaUrl({ 'replica-file': file, 'no-replica': isNone }: AdminFlags): string | null | undefined {
  if (isNone && file !== undefined) throw new AdminError(`Choose --replica-file or --no-replica. ${HELP}`, EXIT.usage)
  return isNone ? null : readUrl(file)
}

/** Undefined if not given, null for none. */
function readCapacity({ capacity }: AdminFlags): number | null | undefined {
  if (capacity === undefined) return undefined
  if (capacity === 'none') return null
  if (/^\d{1,6}$/.test(capacity)) return Number(capacity)
  throw new AdminError(`--capacity is a number of workspaces, or none. ${HELP}`, EXIT.usage)
}

async function seal({ config, control }: Installation, address: SecretAddress, url: string): Promise<string> {
  return await createSecretBox(openExistingKeys(config)).seal(control, address, url)
}

interface ReplicaInput {
  readonly name: string
  /** Undefined: that of the stored cluster. */
  readonly url: string | undefined
  readonly replicaUrl: string | null | undefined
}

/** Undefined if nothing changes, null for none. */
async function sealReplica(installation: Installation, { name, url, replicaUrl }: ReplicaInput) {
  if (replicaUrl === undefined || replicaUrl === null) return replicaUrl
  const stored = url ?? (await listClusterAddresses(installation)).find((cluster) => cluster.name === name)?.url
  const problem = await findReplicaProblem({ url: stored ?? '', replicaUrl })
  if (problem !== undefined) throw new AdminError(`The replica ${problem}.`)
  return await seal(installation, clusterReplicaPlace(name), replicaUrl)
}

/** Two names for one server would let a move copy a database onto itself. */
async function assertUsable(installation: Installation, url: string, except?: number): Promise<void> {
  const at = await readSystem(url).catch((error: unknown) => {
    throw new AdminError(`The server does not answer as an administrator needs it: ${(error as Error).message}`)
  })
  if (at.isReplica) throw new AdminError('The server is a replica, which takes no writes. Name the primary.')
  for (const other of await listClusterAddresses(installation)) {
    if (other.id === except) continue
    const { system } = await readSystem(other.url)
    if (system === at.system) throw new AdminError(`This is the server of cluster ${other.name} already.`)
  }
  // Checks version and rights, and closes its own databases to PUBLIC.
  const cluster = await openCluster({ adminUrl: url }).catch((error: unknown) => {
    throw new AdminError(`The server can not be used: ${(error as Error).message}`)
  })
  await cluster.close()
}
