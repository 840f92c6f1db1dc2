import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type ControlDb, openControlDb } from '@trellis/control-db/database'
import { upgradeControlDb, withDatabase } from '@trellis/control-db/prepare'
import { type FoundServer, findServer } from '@trellis/embedded/postgres/find-server'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { readAddress } from '@trellis/postgres-client/address'
import { type AuditLine, writeAudit } from '../modules/audit/audit.service.ts'
import type { Config } from '../platform/config.ts'
import { type Address, listAddresses } from '../platform/start-checks/read-servers.ts'
import { acquireHomeLock } from '../supervisor/home-lock.ts'
import { AdminError, EXIT } from './admin-error.ts'

export interface Installation {
  readonly config: Config
  readonly control: ControlDb
  readonly addresses: [Address, ...Address[]]
  migrate(): Promise<string[]>
  readonly clusterUrl: string
  readonly builtIn: FoundServer | undefined
  audit(line: Pick<AuditLine, 'action' | 'outcome' | 'detail'>): Promise<void>
  close(): Promise<void>
}

/** Also closed on interruption: a Postgres started for the command must not stay. */
export async function withInstallation<T>(
  { config, say }: { config: Config; say: (line: string) => void },
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config, say)
  const onSignal = () => void installation.close().finally(() => process.exit(EXIT.failed))
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work(installation)
  } finally {
    process.removeListener('SIGINT', onSignal)
    process.removeListener('SIGTERM', onSignal)
    await installation.close()
  }
}

/** Those of the running product, or the built-in Postgres started for this command. */
async function openInstallation(config: Config, say: (line: string) => void): Promise<Installation> {
  const { databaseDirectUrl: url } = config
  assertOwnFolder(config)
  if (url !== undefined) {
    const owner = {
      ownerUrl: config.databaseOwnerUrl as string,
      appRole: readAddress(config.databaseUrl as string).user,
    }
    return connect(config, { url, owner, addresses: listAddresses(config), clusterUrl: config.clusterUrl ?? url })
  }
  const foundServer = findServer(join(config.home, 'postgres'))
  if (!foundServer)
    throw new AdminError(`There is no data of Trellis in ${config.home}. Set TRELLIS_HOME to its data folder.`)
  if (foundServer.isRunning) return connect(config, { ...toAddresses(config, foundServer.url), builtIn: foundServer })
  say(`Trellis is not running in ${config.home}. Starting its Postgres for this command.`)
  const lock = await acquireHomeLock(config.home, 'trellis admin')
  try {
    const server = await startPostgres({ dataDir: join(config.home, 'postgres') })
    const stop = async () => {
      await server.stop()
      lock.release()
    }
    return connect(config, { ...toAddresses(config, server.url), builtIn: { ...foundServer, url: server.url }, stop })
  } catch (error) {
    lock.release()
    throw error
  }
}

function toAddresses(config: Config, adminUrl: string) {
  const url = withDatabase(adminUrl, 'trellis')
  const ownerUrl = new URL(url)
  ownerUrl.searchParams.set('options', '-c role=trellis_owner')
  const addresses: [Address] = [{ setting: 'the built-in Postgres', url }]
  return {
    url,
    owner: { ownerUrl: ownerUrl.href, appRole: 'trellis_app' },
    addresses,
    clusterUrl: config.clusterUrl ?? adminUrl,
  }
}

interface Addresses {
  readonly url: string
  readonly owner: Parameters<typeof upgradeControlDb>[0]
  readonly addresses: [Address, ...Address[]]
  readonly clusterUrl: string
  readonly builtIn?: FoundServer
  readonly stop?: () => Promise<void>
}

function connect(config: Config, givenAddresses: Addresses): Installation {
  const { url, owner, addresses, clusterUrl, builtIn, stop } = givenAddresses
  const control = openControlDb({ url, max: 2, name: 'trellis-admin' })
  let closing: Promise<void> | undefined
  return {
    config,
    control,
    addresses,
    migrate: async () => await upgradeControlDb(owner),
    clusterUrl,
    builtIn,
    audit: async (line) => {
      await writeAudit(control, { ...line, detail: { ...line.detail, os_user: userInfo().username } })
    },
    close: async () => await (closing ??= control.close().then(stop)),
  }
}

/** Files created by another user, even root, could not be read by the server. */
function assertOwnFolder({ home }: Config): void {
  if (!existsSync(home)) return
  const { uid } = statSync(home)
  if (process.getuid && uid !== process.getuid()) {
    throw new AdminError(`${home} belongs to another user. Run this command as the user that runs Trellis.`)
  }
}
