import { clusterAddressPlace, clusterReplicaPlace } from '../../platform/clusters/cluster-port.ts'
import { listClusters } from '../../platform/clusters/clusters.repository.ts'
import { createSecretBox } from '../../platform/secrets/secret-box.ts'
import type { Installation } from '../open-installation.ts'
import { openExistingKeys } from '../open-secrets.ts'

export interface ClusterAddress {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly replicaUrl: string | undefined
}

export async function listClusterAddresses(installation: Installation): Promise<ClusterAddress[]> {
  const { control, config, clusterUrl } = installation
  const clusterAddresses: ClusterAddress[] = []
  for (const { id, name, address, replica } of await listClusters(control)) {
    if (address === null) clusterAddresses.push({ id, name, url: clusterUrl, replicaUrl: config.clusterReplicaUrl })
    else {
      const secrets = createSecretBox(openExistingKeys(config))
      const url = await secrets.open(control, clusterAddressPlace(name), address)
      const replicaUrl = replica === null ? undefined : await secrets.open(control, clusterReplicaPlace(name), replica)
      clusterAddresses.push({ id, name, url, replicaUrl })
    }
  }
  return clusterAddresses
}
