import { readAddress } from '@trellis/postgres-client/address'
import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import type { Config } from './config.ts'

export interface ClusterPort {
  open(): Promise<Cluster>
  close(): Promise<void>
}

export function createClusterPort(
  config: Pick<Config, 'clusterUrl' | 'databaseUrl' | 'databaseDirectUrl' | 'runLimits'>,
): ClusterPort {
  let opened: Promise<Cluster> | undefined
  const controlDatabase = config.databaseUrl ? readAddress(config.databaseUrl).database : ''
  return {
    open: async () => {
      opened ??= openCluster({
        adminUrl: config.clusterUrl ?? config.databaseDirectUrl ?? '',
        closeDatabases: [controlDatabase],
        runSessions: config.runLimits.sessionsPerWorkspace,
      })
      // Do not cache a failed attempt.
      opened.catch(() => (opened = undefined))
      return await opened
    },
    close: async () => {
      const cluster = await opened?.catch(() => undefined)
      await cluster?.close()
    },
  }
}
