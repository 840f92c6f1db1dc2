import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import { withWorkspaceAdmin } from '../in-workspace.ts'
import { findSchema, type FoundSchema } from './find-schemas.ts'
import { generateSchemaTag } from './schema-roles.ts'
import { registerSchema } from './register-schema.ts'
import { SQL_STATE } from '../sql-state.ts'

const MAX_NAME_BYTES = 63
const RESERVED = /^(?:pg_|trellis|information_schema$|public$)/i

export interface SchemaLocation {
  readonly key: string
  readonly name: string
}

/** With its own owner role, so that default privileges apply no matter which role creates a table. */
export async function createSchema(cluster: Cluster, { key, name }: SchemaLocation): Promise<void> {
  assertNewName(name)
  await withWorkspaceAdmin(cluster, key, async (client, names) => {
    await client.query(`create schema ${pg.escapeIdentifier(name)}`)
    await registerSchema(cluster, client, { names, schema: { name, tag: generateSchemaTag() } })
  })
}

export async function renameSchema(cluster: Cluster, location: SchemaLocation & { newName: string }): Promise<void> {
  assertNewName(location.newName)
  await withWorkspaceAdmin(cluster, location.key, async (client, names) => {
    const schema = getFoundSchema(await findSchema(client, names, location.name))
    if (schema.name === location.newName) return
    const [from, to] = [schema.name, location.newName].map((name) => pg.escapeIdentifier(name))
    await client.query(`alter schema ${from} rename to ${to}`)
  })
}

function assertNewName(name: string): void {
  const isUsable =
    name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= MAX_NAME_BYTES && !RESERVED.test(name)
  if (isUsable) return
  throw new WorkspaceDbError({
    code: 'refused',
    message: 'This name can not be used for a schema.',
    sqlState: SQL_STATE.RESERVED_NAME,
  })
}

function getFoundSchema(schema: FoundSchema | undefined): FoundSchema {
  if (schema) return schema
  throw new WorkspaceDbError({
    code: 'missing',
    message: 'There is no such schema.',
    sqlState: SQL_STATE.UNDEFINED_SCHEMA,
  })
}
