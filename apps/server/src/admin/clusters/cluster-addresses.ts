import { clusterAddressPlace } from '../../platform/clusters/cluster-port.ts'
import { listClusters } from '../../platform/clusters/clusters.repository.ts'
import { createSecretBox } from '../../platform/secrets/secret-box.ts'
import type { Installation } from '../open-installation.ts'
import { openExistingKeys } from '../open-secrets.ts'

export interface ClusterAddress {
  readonly id: number
  readonly name: string
  readonly url: string
}

export async function listClusterAddresses(installation: Installation): Promise<ClusterAddress[]> {
  const { control, config, clusterUrl } = installation
  const found: ClusterAddress[] = []
  for (const { id, name, address } of await listClusters(control)) {
    if (address === null) found.push({ id, name, url: clusterUrl })
    else {
      const secrets = createSecretBox(openExistingKeys(config))
      found.push({ id, name, url: await secrets.open(control, clusterAddressPlace(name), address) })
    }
  }
  return found
}
