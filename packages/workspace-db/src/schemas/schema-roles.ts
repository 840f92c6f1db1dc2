import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { WorkspaceNames } from '../names.ts'

export interface SchemaRoles {
  /** Owns the tables; the schema itself belongs to the administrator. */
  readonly owner: string
  readonly writer: string
  readonly reader: string
}

const TAG = /^[0-9a-f]{8}$/

/** Random, since names change and may contain anything. */
export const generateSchemaTag = (): string => randomBytes(4).toString('hex')

export function getSchemaRoles({ database }: WorkspaceNames, tag: string): SchemaRoles {
  if (!TAG.test(tag)) throw new Error('The tag of a schema is 8 hexadecimal digits.')
  const rolePrefix = `${database}_s_${tag}`
  return { owner: `${rolePrefix}_own`, writer: `${rolePrefix}_w`, reader: `${rolePrefix}_r` }
}

export interface TaggedSchema {
  readonly name: string
  readonly tag: string
}

/** Default privileges apply per creating role, so every maker needs them. */
export function buildDefaultPrivileges(names: WorkspaceNames, schema: TaggedSchema, creatingRole: string): string[] {
  const { writer, reader } = getSchemaRoles(names, schema.tag)
  const inSchema = `alter default privileges for role ${creatingRole} in schema ${pg.escapeIdentifier(schema.name)}`
  return [
    // SECURITY DEFINER functions of a writer would let readers write.
    `alter default privileges for role ${creatingRole} revoke execute on routines from public`,
    `${inSchema} grant select on tables to ${reader}`,
    `${inSchema} grant select on sequences to ${reader}`,
    `${inSchema} grant insert, update, delete, truncate on tables to ${writer}`,
    `${inSchema} grant usage, update on sequences to ${writer}`,
  ]
}

export function buildSchemaStatements(names: WorkspaceNames, schema: TaggedSchema): string[] {
  const { owner, writer, reader } = getSchemaRoles(names, schema.tag)
  const name = pg.escapeIdentifier(schema.name)
  return [
    `revoke all on schema ${name} from public`,
    `grant usage, create on schema ${name} to ${names.owner}, ${owner}`,
    `grant usage on schema ${name} to ${names.reader}, ${reader}`,
    `grant ${reader} to ${writer} with inherit true, set false`,
    `grant ${writer} to ${owner} with inherit true, set false`,
    `grant ${owner} to ${names.owner} with inherit true, set true`,
    `grant ${reader} to ${names.reader} with inherit true, set false`,
    `grant ${writer} to ${names.writer} with inherit true, set false`,
    `grant ${owner} to ${names.ruler} with inherit true, set false`,
    `grant select on all tables in schema ${name} to ${reader}`,
    `grant select on all sequences in schema ${name} to ${reader}`,
    `grant insert, update, delete, truncate on all tables in schema ${name} to ${writer}`,
    `grant usage, update on all sequences in schema ${name} to ${writer}`,
    ...buildDefaultPrivileges(names, schema, names.owner),
    ...buildDefaultPrivileges(names, schema, owner),
  ]
}
