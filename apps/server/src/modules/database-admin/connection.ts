import type { Connection } from '@trellis/contract/database-admin/database-admin.schemas'
import { canEnforceFirewall } from '@trellis/workspace-db/firewall/apply-firewall'
import { acceptsRemoteConnections, readServerEndpoint } from '@trellis/workspace-db/firewall/server-face'
import { type LoginProblem, tryLogin } from '@trellis/workspace-db/roles/try-login'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'

const HERE = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/
const ONLY_HERE =
  'The database listens on this machine alone. To reach it from others, set TRELLIS_DATABASE_LISTEN to an address of this machine and start Trellis again.'
const SELF_SIGNED =
  'The certificate was made by Trellis itself: save it and give it to your client as its root certificate.'
const OLD_TLS =
  'The TLS library that comes with the built-in database gets no more updates. On an open network, put a tunnel or a proxy before it, or use a PostgreSQL server of your own.'
const NO_TLS = 'The connection is not encrypted, because it never leaves this machine.'
const OUTSIDE = 'The server is not run by Trellis. Whether it can be reached and how it encrypts is set there.'
const CLOSED = 'Logins can connect only from addresses that a firewall rule allows.'

export async function getConnection(ctx: WorkspaceCtx, code: string): Promise<Connection> {
  const database = await openDatabase(ctx, code)
  const face = await readServerEndpoint(database.cluster)
  const isOurs = canEnforceFirewall(database.cluster)
  const isOpen = isOurs ? acceptsRemoteConnections(face) : !HERE.test(face.host)
  const publicHost = new URL(ctx.ports.config.publicUrl).hostname.replaceAll(/[[\]]/g, '')
  const ownAddress = face.listens.find((address) => !HERE.test(address) && !['*', '0.0.0.0', '::'].includes(address))
  const host = isOurs && isOpen ? (HERE.test(publicHost) ? (ownAddress ?? face.host) : publicHost) : face.host
  return {
    host,
    port: face.port,
    database: database.database,
    ssl_mode: !face.hasTls ? 'disable' : face.isNamed(host) ? 'verify-full' : 'require',
    certificate: face.certificate,
    is_reachable_from_outside: isOpen,
    notes: [
      ...(isOurs ? [CLOSED] : [OUTSIDE]),
      ...(isOurs && !isOpen ? [ONLY_HERE] : []),
      ...(face.hasTls ? [] : [NO_TLS].filter(() => isOurs)),
      ...(face.certificate ? [SELF_SIGNED] : []),
      ...(isOurs && isOpen ? [OLD_TLS] : []),
    ],
  }
}

const MESSAGES: Record<LoginProblem, string> = {
  unknown: 'This is no login of this database.',
  password: 'The password is not right, or the login has ended.',
  firewall:
    'No firewall rule lets this login in from the address of the Trellis server itself, so its password could not be tried from here. Connections from other addresses follow their own rules.',
  full: 'The login, or the workspace with all its logins, has as many connections open as it may have. End some under Sessions.',
  unreachable: 'The database server could not be reached.',
}

export async function testConnection(
  ctx: WorkspaceCtx,
  body: { integration_trellis_code: string; user_name: string; password: string },
) {
  const { cluster, key } = await openDatabase(ctx, body.integration_trellis_code)
  const start = performance.now()
  const problem = await tryLogin(cluster, { key, user: body.user_name.trim(), password: body.password })
  const milliseconds = Math.round(performance.now() - start)
  return {
    works: problem === undefined,
    message: problem === undefined ? 'The login works from here.' : MESSAGES[problem],
    milliseconds,
  }
}
