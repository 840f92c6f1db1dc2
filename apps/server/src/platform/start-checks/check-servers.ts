import { MIN_MAJOR_VERSION } from '@trellis/workspace-db/cluster'
import { type ServerCheck, fail, passCheck } from './start-check.ts'

export const checkVersion: ServerCheck = ({ servers }) => {
  const oldServer = servers.find(({ major }) => major < MIN_MAJOR_VERSION)
  if (!oldServer) return passCheck(`PostgreSQL ${servers[0].version}`)
  return fail(
    `PostgreSQL ${oldServer.version} at ${oldServer.setting} is too old: loading files needs version ${MIN_MAJOR_VERSION}`,
    `Upgrade that server to PostgreSQL ${MIN_MAJOR_VERSION} or newer.`,
  )
}

export const checkPrimary: ServerCheck = ({ servers }) => {
  const replica = servers.find(({ isReplica }) => isReplica)
  if (!replica) return passCheck('takes writes')
  return fail(
    `The server at ${replica.setting} is a replica, which takes no writes`,
    `Set ${replica.setting} to the address of the primary.`,
  )
}

export const checkLogin: ServerCheck = ({ servers: [{ login, bypassesRowSecurity }], isBuiltIn }) => {
  if (isBuiltIn) return passCheck('made by Trellis at every start')
  if (!bypassesRowSecurity) return passCheck(`row-level security binds ${login}`)
  return fail(
    `Row-level security does not bind the login ${login} of TRELLIS_DATABASE_URL: it is a superuser or has BYPASSRLS`,
    'Create an ordinary login for Trellis and set TRELLIS_DATABASE_URL to it.',
  )
}

export const checkAdministrator: ServerCheck = ({ servers }) => {
  const { login, canAdminister } = servers.findLast(({ setting }) => setting === 'TRELLIS_CLUSTER_URL') ?? servers[0]
  if (canAdminister) return passCheck(`${login} may create workspaces`)
  return fail(
    `The login ${login} may not create databases and roles, so no workspace can be created`,
    'Set TRELLIS_CLUSTER_URL to a login with CREATEDB and CREATEROLE.',
  )
}

/** LISTEN and session locks do not work through a pooler in transaction mode. */
export const checkDirectUrl: ServerCheck = ({ servers: [control, ...others], hasDirectUrl }) => {
  const pooler = others.find(({ isPooler }) => isPooler)
  if (pooler) {
    return fail(`${pooler.setting} leads through a pooler`, `Set ${pooler.setting} to the address of Postgres itself.`)
  }
  if (!control.isPooler) return passCheck('leads to Postgres itself')
  if (hasDirectUrl) return passCheck('leads past the pooler')
  return fail(
    'TRELLIS_DATABASE_URL leads through a pooler, and there is no address past it',
    'Set TRELLIS_DATABASE_DIRECT_URL to the address of Postgres itself.',
  )
}
