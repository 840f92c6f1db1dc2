import type pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import { findSchemas } from '../schemas/find-schemas.ts'
import type { TaggedSchema } from '../schemas/schema-roles.ts'
import { buildGuestLoginsQuery } from './find-logins.ts'

export interface ActualRole {
  readonly oid: string
  readonly name: string
  readonly canLogin: boolean
  readonly isExternal: boolean
  readonly connectionLimit: number
  readonly validUntil: Date | null
  readonly settings: readonly string[]
}
export interface Membership {
  readonly member: string
  readonly role: string
  readonly inherits: boolean
}
export interface OwnedObject {
  readonly owner: string
  readonly kind: 'table' | 'view' | 'materialized view' | 'sequence' | 'routine'
  readonly name: string
  readonly tag: string
}
export interface ActualAccess {
  readonly schemas: readonly TaggedSchema[]
  readonly roles: readonly ActualRole[]
  readonly memberships: readonly Membership[]
  /** `<role> <schema name>` with default privileges. */
  readonly makers: ReadonlySet<string>
  readonly owned: readonly OwnedObject[]
}

const ROLES_QUERY = `
  select r.oid::text, r.rolname as name, r.rolcanlogin as "canLogin",
         r.oid in (${buildGuestLoginsQuery('$2')}) as "isExternal", r.rolconnlimit as "connectionLimit",
         case when isfinite(r.rolvaliduntil) then r.rolvaliduntil end as "validUntil",
         array(select unnest(s.setconfig) from pg_db_role_setting s where s.setrole = r.oid) as settings
    from pg_roles r where starts_with(r.rolname, $1) or r.oid in (${buildGuestLoginsQuery('$2')})`
const MEMBERSHIPS_QUERY = `
  select member.rolname as member, role.rolname as role, bool_or(m.inherit_option) as inherits
    from pg_auth_members m join pg_roles member on member.oid = m.member join pg_roles role on role.oid = m.roleid
   where starts_with(member.rolname, $1) or member.oid in (${buildGuestLoginsQuery('$2')}) group by 1, 2`
const CREATING_ROLES_QUERY = `
  select distinct d.defaclrole::regrole::text || ' ' || n.nspname as maker
    from pg_default_acl d join pg_namespace n on n.oid = d.defaclnamespace
   where d.defaclobjtype = 'r' and starts_with(pg_get_userbyid(d.defaclrole), $1)`
const OWNED_OBJECTS_QUERY = `
  select pg_get_userbyid(c.relowner) as owner, format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema,
         case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where starts_with(pg_get_userbyid(c.relowner), $1) and c.relkind in ('r', 'p', 'f', 'v', 'm', 'S')
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S')
  union all
  select pg_get_userbyid(p.proowner), p.oid::regprocedure::text, n.nspname, 'routine'
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where starts_with(pg_get_userbyid(p.proowner), $1)`

export async function readAccess(client: pg.Client, names: WorkspaceNames): Promise<ActualAccess> {
  const rolePrefix = `${names.database}_`
  const foundSchemas = await findSchemas(client, names)
  const schemas = foundSchemas.flatMap(({ name, tag }) => (tag === null ? [] : [{ name, tag }]))
  const tagBySchema = new Map(schemas.map((schema) => [schema.name, schema.tag]))
  const roles = await client.query<ActualRole>(ROLES_QUERY, [rolePrefix, names.guest])
  const memberships = await client.query<Membership>(MEMBERSHIPS_QUERY, [rolePrefix, names.guest])
  const makers = await client.query<{ maker: string }>(CREATING_ROLES_QUERY, [rolePrefix])
  const ownedObjects = await client.query<Omit<OwnedObject, 'tag'> & { schema: string }>(OWNED_OBJECTS_QUERY, [
    `${rolePrefix}p_`,
  ])
  return {
    schemas,
    roles: roles.rows,
    memberships: memberships.rows,
    makers: new Set(makers.rows.map((row) => row.maker)),
    owned: ownedObjects.rows.flatMap(({ schema, ...object }) => {
      const tag = tagBySchema.get(schema)
      return tag === undefined ? [] : [{ ...object, tag }]
    }),
  }
}
