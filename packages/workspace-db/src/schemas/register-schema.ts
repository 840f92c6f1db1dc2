import type pg from 'pg'
import type { Cluster } from '../cluster.ts'
import type { WorkspaceNames } from '../names.ts'
import { findSchemas } from './find-schemas.ts'
import { createSchemaRoles } from './make-role.ts'
import { generateSchemaTag, getSchemaRoles, buildSchemaStatements, type TaggedSchema } from './schema-roles.ts'

/** Idempotent. */
export async function registerSchema(
  cluster: Cluster,
  client: pg.Client,
  { names, schema }: { names: WorkspaceNames; schema: TaggedSchema },
): Promise<void> {
  const { owner, writer, reader } = getSchemaRoles(names, schema.tag)
  await createSchemaRoles(cluster, client, [owner, writer, reader])
  for (const statement of buildSchemaStatements(names, schema)) await client.query(statement)
}

export async function registerAllSchemas(cluster: Cluster, client: pg.Client, names: WorkspaceNames): Promise<void> {
  for (const { name, tag } of await findSchemas(client, names)) {
    await registerSchema(cluster, client, { names, schema: { name, tag: tag ?? generateSchemaTag() } })
  }
}
