import type pg from 'pg'
import type { Cluster } from './cluster.ts'
import {
  generateCredentials,
  computePasswordMark,
  buildScramVerifier,
  type WorkspaceCredentials,
} from './provision/credentials.ts'
import { revokeDangerousFunctions } from './provision/dangerous-functions.ts'
import { grantAccessForExternalTools } from './provision/external-tool-access.ts'
import { buildLoadsSchema } from './provision/loads-schema.ts'
import {
  CONNECTIONS_PER_LOGIN,
  buildLoginSettings,
  countWorkspaceConnections,
  countWriterConnections,
} from './provision/logins.ts'
import { toWorkspaceNames, type WorkspaceNames } from './names.ts'
import { createSchemaRoles as makeQuietRoles } from './schemas/make-role.ts'
import { findSchemas } from './schemas/find-schemas.ts'
import { registerAllSchemas } from './schemas/register-schema.ts'
import { dropDatabaseAndRoles, lockWorkspaceDatabase } from './remove.ts'

export interface WorkspaceDatabase {
  readonly database: string
  readonly roles: { readonly owner: string; readonly readWrite: string; readonly readOnly: string }
  readonly credentials: WorkspaceCredentials
}

export interface ProvisionInput {
  /** Stored before this call, so that a crash leaves no unknown database. */
  readonly key: string
  /** By default new passwords are set and the old ones become invalid. */
  readonly credentials?: WorkspaceCredentials
}

/** Raise it when a step changes; older databases are then upgraded. */
export const PROVISION_VERSION = 9
const READY_COMMENT = `trellis workspace ${PROVISION_VERSION}`

/**
 * Idempotent: a call after a crash finishes the work. A failing call drops what was never complete, but no database
 * that once was.
 */
export async function provisionWorkspaceDatabase(cluster: Cluster, input: ProvisionInput): Promise<WorkspaceDatabase> {
  const names = toWorkspaceNames(input.key)
  const credentials = input.credentials ?? generateCredentials()
  await cluster.withAdmin(undefined, async (admin) => {
    await lockWorkspaceDatabase(admin, names)
    try {
      await createRoles(cluster, admin, { names, credentials })
      await createDatabase(cluster, admin, names)
      await cluster.withAdmin(names.database, (client) => createSchemas(cluster, client, names))
      await admin.query(`comment on database ${names.database} is '${READY_COMMENT}'`)
    } catch (error) {
      // Report the original error, even if cleaning up fails.
      await dropUnlessComplete(cluster, admin, names).catch(() => undefined)
      throw error
    }
  })
  const { database, owner, readWrite, readOnly } = names
  return { database, roles: { owner, readWrite, readOnly }, credentials }
}

async function dropUnlessComplete(cluster: Cluster, admin: pg.Client, names: WorkspaceNames): Promise<void> {
  await admin.query('rollback')
  const { rows } = await admin.query(
    `select 1 from pg_database where datname = $1 and shobj_description(oid, 'pg_database') is not null`,
    [names.database],
  )
  if (rows.length === 0) await dropDatabaseAndRoles(cluster, admin, names)
}

interface RoleInput {
  readonly names: WorkspaceNames
  readonly credentials: WorkspaceCredentials
}

async function createRoles(cluster: Cluster, admin: pg.Client, { names, credentials }: RoleInput): Promise<void> {
  const { owner, reader, writer, ruler, guest, readWrite, readOnly } = names
  const roles = [owner, reader, readWrite, readOnly]
  const { rows } = await admin.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    roles,
  ])
  const existingRoles = new Set(rows.map((row) => row.rolname))
  const buildLoginAttributes = (password: string, connections: number) =>
    `login noinherit connection limit ${connections} password '${buildScramVerifier(password)}'`
  const attributes: [string, string][] = [
    [owner, 'nologin noinherit'],
    [reader, 'nologin noinherit'],
    [readWrite, buildLoginAttributes(credentials.readWrite, countWriterConnections(cluster))],
    [readOnly, buildLoginAttributes(credentials.readOnly, CONNECTIONS_PER_LOGIN)],
  ]
  await admin.query('begin')
  for (const [role, attribute] of attributes) {
    await admin.query(`${existingRoles.has(role) ? 'alter' : 'create'} role ${role} ${attribute}`)
    if (!cluster.isSuperuser) await admin.query(`grant ${role} to current_user with inherit true, set true`)
  }
  await makeQuietRoles(cluster, admin, [writer, ruler, guest])
  await admin.query(`grant ${owner} to ${readWrite} with inherit false, set true`)
  await admin.query(`grant ${reader} to ${readOnly} with inherit true, set false`)
  await admin.query(`comment on role ${readWrite} is '${computePasswordMark(credentials.readWrite)}'`)
  await admin.query(`comment on role ${readOnly} is '${computePasswordMark(credentials.readOnly)}'`)
  if (cluster.isSuperuser) {
    // External clients must not take the platform's last connections.
    await admin.query(`grant pg_use_reserved_connections to ${readWrite}, ${readOnly} with inherit true, set false`)
  }
  for (const role of [readWrite, readOnly]) {
    for (const statement of buildLoginSettings(cluster, role)) await admin.query(statement)
  }
  await admin.query('commit')
}

async function createDatabase(cluster: Cluster, admin: pg.Client, names: WorkspaceNames): Promise<void> {
  const { database, readWrite, readOnly, guest } = names
  const { rows } = await admin.query<{ broken: boolean }>(
    'select datconnlimit = -2 as broken from pg_database where datname = $1',
    [database],
  )
  // An interrupted DROP DATABASE leaves it invalid.
  if (rows[0]?.broken) await admin.query(`drop database ${database}`)
  if (!rows[0] || rows[0].broken) {
    // Closed until PUBLIC's privileges are revoked, as an earlier session would survive the revoke.
    await admin.query(`create database ${database} template template0 encoding 'UTF8' allow_connections false`)
  }
  await admin.query(`revoke all on database ${database} from public`)
  await admin.query(`grant connect on database ${database} to ${readWrite}, ${readOnly}, ${guest}`)
  await admin.query(`grant temporary on database ${database} to ${guest}`)
  await admin.query(`alter database ${database} set search_path = data`)
  await admin.query(`alter database ${database} connection limit ${countWorkspaceConnections(cluster)}`)
  await admin.query(`alter database ${database} allow_connections true`)
}

async function createSchemas(cluster: Cluster, client: pg.Client, names: WorkspaceNames): Promise<void> {
  const { owner, reader } = names
  await client.query('begin')
  await client.query('revoke all on schema public from public')
  await client.query('create schema if not exists trellis')
  await client.query('revoke all on schema trellis from public')
  // A schema that was renamed or dropped on purpose must not reappear.
  if ((await findSchemas(client, names)).length === 0) await client.query('create schema if not exists data')
  await client.query(`alter default privileges for role ${owner} grant select on tables to ${reader}`)
  await client.query(`alter default privileges for role ${owner} grant select on sequences to ${reader}`)
  // SECURITY DEFINER functions of a writer would let readers write.
  await client.query(`alter default privileges for role ${owner} revoke execute on routines from public`)
  await registerAllSchemas(cluster, client, names)
  for (const statement of buildLoadsSchema(names)) await client.query(statement)
  if (cluster.isSuperuser) {
    await client.query('revoke usage on language plpgsql, sql from public')
    await client.query(`grant usage on language plpgsql, sql to ${owner}`)
    await revokeDangerousFunctions(client)
    await grantAccessForExternalTools(client, names)
  }
  await client.query('commit')
}
