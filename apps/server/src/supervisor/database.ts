import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareControlDb, upgradeControlDb, withDatabase } from '@trellis/control-db/prepare'
import { startPostgres, type Postgres } from '@trellis/embedded/postgres/start-postgres'
import { readAddress } from '@trellis/postgres-client/address'
import type { Config } from '../platform/config.ts'
import { listAddresses } from '../platform/start-checks/read-servers.ts'
import { assertServersFit } from '../platform/start-checks/start-checks.ts'
import { waitForDatabase } from '../platform/start-checks/wait-for-database.ts'
import { findSentence } from './sentence.ts'
import type { Terminal } from './terminal.ts'
import { watchQuotas } from './watch/account-quotas.ts'
import { type ClusterWatch, watchCluster } from './watch/watch-cluster.ts'

const CONTROL_DATABASE = 'trellis'

type DatabaseSettings = Record<'TRELLIS_DATABASE_URL' | 'TRELLIS_CLUSTER_URL', string> & {
  /** Hides the owner's address from the role. */
  TRELLIS_DATABASE_OWNER_URL?: ''
}

export interface Database {
  settings: DatabaseSettings
  stop(): Promise<void>
}

interface Request {
  config: Config
  terminal: Terminal
  isStopping: () => boolean
  onMoved: (settings: DatabaseSettings) => void
}

export async function openDatabase(request: Request): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl, clusterUrl } = request.config
  if (databaseUrl === undefined || databaseDirectUrl === undefined || databaseOwnerUrl === undefined) {
    return await openBuiltIn(request)
  }
  const addresses = listAddresses(request.config)
  await waitForDatabase(addresses, { say: request.terminal.warn, isStopping: request.isStopping })
  await assertServersFit(request.config)
  await upgradeControlDb({ ownerUrl: databaseOwnerUrl, appRole: readAddress(databaseUrl).user })
  return {
    settings: {
      TRELLIS_DATABASE_URL: databaseUrl,
      TRELLIS_CLUSTER_URL: clusterUrl ?? databaseDirectUrl,
      TRELLIS_DATABASE_OWNER_URL: '',
    },
    stop: async () => {},
  }
}

async function openBuiltIn({ config, terminal, onMoved }: Request): Promise<Database> {
  const life = { isStopping: false, restart: Promise.resolve() }
  const start = () =>
    startPostgres({
      dataDir: join(config.home, 'postgres'),
      listening: config.databaseListen,
      log: terminal.say,
      onExit: (reason) => {
        if (!life.isStopping) life.restart = restartDatabase(reason)
      },
    })

  async function restartDatabase(reason: string): Promise<void> {
    terminal.warn(`Postgres stopped unexpectedly: ${reason}. Starting it again.`)
    for (let wait = 250; !life.isStopping; wait = Math.min(wait * 2, 10_000)) {
      try {
        const before = server.url
        server = await start()
        if (server.url !== before) onMoved(await prepare(server, config))
        return terminal.warn('Postgres is back.')
      } catch (error) {
        terminal.warn(findSentence(error, config) ?? `Postgres did not start: ${String(error)}`)
        await sleep(wait, undefined, { ref: false })
      }
    }
  }

  let server = await start()
  let watch: ClusterWatch | undefined
  const stop = async () => {
    life.isStopping = true
    await watch?.stop()
    await life.restart
    await server.stop()
  }
  try {
    const settings = await prepare(server, config)
    watch = watchCluster({
      server: () => server,
      limits: config.databaseLimits,
      warn: terminal.warn,
      findOverQuota: watchQuotas({ controlUrl: () => withDatabase(server.url, CONTROL_DATABASE) }),
    })
    return { settings, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function prepare(server: Postgres, config: Config): Promise<DatabaseSettings> {
  const { appUrl } = await prepareControlDb({ adminUrl: server.url, database: CONTROL_DATABASE })
  return { TRELLIS_DATABASE_URL: appUrl, TRELLIS_CLUSTER_URL: config.clusterUrl ?? server.url }
}
