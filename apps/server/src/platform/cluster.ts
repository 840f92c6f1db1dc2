import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import type { Config } from './config.ts'

export interface ClusterPort {
  /** Opened at the first call: a process that never touches a workspace's database holds no connection to it. */
  open(): Promise<Cluster>
  close(): Promise<void>
}

export function createClusterPort(
  config: Pick<Config, 'clusterUrl' | 'databaseUrl' | 'databaseDirectUrl' | 'runLimits'>,
): ClusterPort {
  let opened: Promise<Cluster> | undefined
  const controlDatabase = config.databaseUrl ? decodeURIComponent(new URL(config.databaseUrl).pathname.slice(1)) : ''
  return {
    open: async () => {
      opened ??= openCluster({
        adminUrl: config.clusterUrl ?? config.databaseDirectUrl ?? '',
        closeDatabases: [controlDatabase],
        runSessions: config.runLimits.sessionsPerWorkspace,
      })
      // A server that was away once must not stay away until the next start.
      opened.catch(() => (opened = undefined))
      return await opened
    },
    close: async () => {
      const cluster = await opened?.catch(() => undefined)
      await cluster?.close()
    },
  }
}
