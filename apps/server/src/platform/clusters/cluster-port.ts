import { readAddress } from '@trellis/postgres-client/address'
import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import type { Config } from '../config.ts'
import type { SecretBox, SecretCtx } from '../secrets/secret-box.ts'
import { DEFAULT_CLUSTER, findCluster } from './clusters.repository.ts'

export interface ClusterPort {
  /** That of TRELLIS_CLUSTER_URL, or the built-in server. */
  open(): Promise<Cluster>
  /** A workspace's is `workspaces.cluster_id`, which a move changes: read it each time. */
  openById(ctx: SecretCtx, id: number): Promise<Cluster>
  close(): Promise<void>
}

type ClusterConfig = Pick<
  Config,
  'clusterUrl' | 'clusterReplicaUrl' | 'databaseUrl' | 'databaseDirectUrl' | 'runLimits'
>

export const clusterAddressPlace = (name: string) => ({ scope: 'system', field: `cluster:${name}/address` })
export const clusterReplicaPlace = (name: string) => ({ scope: 'system', field: `cluster:${name}/replica` })

interface ClusterUrls {
  readonly address: string
  readonly replica: string | undefined
}

export function createClusterPort(config: ClusterConfig, secrets: SecretBox): ClusterPort {
  const opened = new Map<number, { urls: string; cluster: Promise<Cluster> }>()
  const controlDatabase = config.databaseUrl ? readAddress(config.databaseUrl).database : ''

  async function openOnce(
    id: number,
    givenClusterUrls: ClusterUrls,
    closeDatabases: readonly string[],
  ): Promise<Cluster> {
    const urls = JSON.stringify(givenClusterUrls)
    const known = opened.get(id)
    if (known?.urls === urls) return await known.cluster
    const cluster = openCluster({
      adminUrl: givenClusterUrls.address,
      ...(givenClusterUrls.replica !== undefined && { replicaUrl: givenClusterUrls.replica }),
      closeDatabases,
      runSessions: config.runLimits.sessionsPerWorkspace,
    })
    opened.set(id, { urls, cluster })
    // Do not cache a failed attempt.
    cluster.catch(() => {
      if (opened.get(id)?.cluster === cluster) opened.delete(id)
    })
    void known?.cluster.then((oldCluster) => oldCluster.close()).catch(() => undefined)
    return await cluster
  }

  const open = () =>
    openOnce(
      DEFAULT_CLUSTER,
      { address: config.clusterUrl ?? config.databaseDirectUrl ?? '', replica: config.clusterReplicaUrl },
      [controlDatabase],
    )
  return {
    open,
    openById: async (ctx, id) => {
      if (id === DEFAULT_CLUSTER) return await open()
      const row = await findCluster(ctx, id)
      if (!row?.address) throw new Error(`There is no cluster ${id}.`)
      const address = await secrets.open(ctx, clusterAddressPlace(row.name), row.address)
      const replica =
        row.replica === null ? undefined : await secrets.open(ctx, clusterReplicaPlace(row.name), row.replica)
      return await openOnce(id, { address, replica }, [])
    },
    close: async () => {
      for (const { cluster } of opened.values()) await (await cluster.catch(() => undefined))?.close()
    },
  }
}
