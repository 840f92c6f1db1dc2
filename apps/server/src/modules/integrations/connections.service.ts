import { connect as connectTcp } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Connector, resolveSetupForma } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext, OwnDatabase } from '@trellis/connector-kit/context'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { withSampleSecrets } from '@trellis/contract/formas/sample-data'
import type { AnyDb, Db } from '@trellis/control-db/database'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { AppError } from '../../platform/app-error.ts'
import type { BaseCtx } from '../../platform/ctx.ts'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { createAccessToken } from './connection/access-token.ts'
import { createBudget, privateBudget } from './connection/budget.ts'
import { toOwnDatabase } from './connection/own-address.ts'
import { type OutboundNetwork, endingWith, overNetwork, toSimulator } from './connection/outgoing.ts'
import { type Scrub, createScrub } from './connection/scrub.ts'
import type { StoredIntegration } from './stored-integration.ts'
import { openSecrets } from './sealed-secrets.ts'
import { withSecrets } from './settings-values.ts'

export type ConnectionCtx = BaseCtx & { readonly db: AnyDb }

/** Everything it returns or throws must pass `scrub` before it is shown or logged. */
export interface Connection {
  readonly connector: Connector
  readonly context: ConnectorContext
  readonly scrub: Scrub
}

const INTERACTIVE_LIMITS = { maxRetryMs: 10_000, maxBytes: 16 * 1024 * 1024 }

export const withInteractiveLimits = (connection: Connection): Connection => ({
  ...connection,
  context: { ...connection.context, interactiveLimits: INTERACTIVE_LIMITS },
})

export async function openConnection(
  ctx: ConnectionCtx,
  row: StoredIntegration,
  signal: AbortSignal,
): Promise<Connection> {
  const connector = ctx.ports.platforms.find(row.platform_code)
  if (!connector) throw new AppError('integration_problem', 'This Trellis does not know the platform any more.')
  const secrets = await openSecrets(ctx, row)
  const kept = withSecrets({ settings: row.settings, secrets })
  const values = row.is_simulated ? withSampleSecrets(resolveSetupForma(connector, kept), kept) : kept
  return buildConnection(ctx, { row, connector, values, secrets: Object.values(secrets) }, signal)
}

interface Parts {
  readonly row: StoredIntegration
  readonly connector: Connector
  readonly values: FormaValues
  readonly secrets: readonly string[]
}

export function buildConnection(
  ctx: ConnectionCtx,
  { row, connector, values, secrets }: Parts,
  signal: AbortSignal,
): Connection {
  const scrub = createScrub(secrets)
  const isOwn = row.is_managed && connector.usesOwnDatabase === true
  const own = isOwn ? openOwnDatabase(ctx, row, signal) : undefined
  const outgoing: OutboundNetwork = row.is_simulated
    ? toSimulator(connector, { signal, now: () => ctx.clock.now() })
    : (own?.outgoing(connector) ?? overNetwork(ctx.ports.http, connector, signal))
  const hasRow = row.id > 0
  const context: ConnectorContext = {
    values,
    signal,
    now: () => ctx.clock.now(),
    wait: async (ms) => await wait(ms, undefined, { signal }),
    log: (level, message) => writeLog(ctx, row, { level, message: scrub.text(message) }),
    budget: hasRow
      ? createBudget(ctx, { integrationId: row.id, accountId: row.account_id }, signal)
      : privateBudget(signal),
    ...outgoing,
    accessToken: createAccessToken({ ctx, row, connector, values, outgoing, scrub }),
    ...(own && { ownDatabase: own.read }),
  }
  return { connector, context, scrub }
}

const LEVELS = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const

function writeLog(
  { log }: ConnectionCtx,
  { trellis_code, platform_code }: StoredIntegration,
  line: { level: keyof typeof LEVELS; message: string },
): void {
  log[LEVELS[line.level]]({ integration: trellis_code, platform: platform_code }, line.message)
}

/** SSRF exception for exactly the cluster's address, which is usually private. */
function openOwnDatabase(ctx: ConnectionCtx, row: StoredIntegration, signal: AbortSignal) {
  let known: Promise<OwnDatabase> | undefined
  const read = async () => await (known ??= readOwnDatabase(ctx, row))
  return {
    read,
    outgoing: (connector: Connector): OutboundNetwork => ({
      ...overNetwork(ctx.ports.http, connector, signal),
      connect: async (target) => {
        const { host, port } = await read()
        if (target.host !== host || target.port !== port) {
          throw new ConnectorError('system', 'Only the database of the workspace can be reached from here.')
        }
        const socket = host.startsWith('/')
          ? connectTcp({ path: `${host}/.s.PGSQL.${port}` })
          : connectTcp({ host, port, noDelay: true })
        await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
        return endingWith(socket, target.signal ?? signal)
      },
    }),
  }
}

async function readOwnDatabase(ctx: ConnectionCtx, row: StoredIntegration): Promise<OwnDatabase> {
  const place = { workspaceId: row.workspace_id, integrationCode: row.trellis_code }
  const { cluster, key, database, credentials } = await openWorkspaceDatabase({ ...ctx, db: ctx.db as Db }, place)
  const login = { database, user: toWorkspaceNames(key).readOnly, password: credentials.readOnly }
  return toOwnDatabase(cluster.loginConfig(login), login)
}
