import type pg from 'pg'
import type { Cluster } from '../cluster.ts'
import type { WorkspaceNames } from '../names.ts'
import { findSchemas } from './find-schemas.ts'
import { createSchemaRoles } from './make-role.ts'
import { generateSchemaTag, getSchemaRoles, buildSchemaStatements, type TaggedSchema } from './schema-roles.ts'

/** Idempotent. */
export async function adoptSchema(
  cluster: Cluster,
  inside: pg.Client,
  { names, schema }: { names: WorkspaceNames; schema: TaggedSchema },
): Promise<void> {
  const { owner, writer, reader } = getSchemaRoles(names, schema.tag)
  await createSchemaRoles(cluster, inside, [owner, writer, reader])
  for (const statement of buildSchemaStatements(names, schema)) await inside.query(statement)
}

export async function adoptAllSchemas(cluster: Cluster, inside: pg.Client, names: WorkspaceNames): Promise<void> {
  for (const { name, tag } of await findSchemas(inside, names)) {
    await adoptSchema(cluster, inside, { names, schema: { name, tag: tag ?? generateSchemaTag() } })
  }
}
