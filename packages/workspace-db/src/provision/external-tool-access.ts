import type pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import { EXTERNAL } from '../roles/access-names.ts'

/** Sessions of the same profile; superusers see all. */
const OWN_SESSIONS_BODY = `
  select * from pg_catalog.pg_stat_get_activity(null) a
   where (select rolsuper from pg_catalog.pg_roles where rolname = session_user)
      or a.datid = (select oid from pg_catalog.pg_database where datname = current_database())
     and exists (select from pg_catalog.pg_auth_members mine join pg_catalog.pg_auth_members theirs using (roleid)
                  where mine.member = session_user::regrole and mine.set_option
                    and theirs.member = a.usesysid and theirs.set_option)`
const OWN_LOCKS_BODY = `
  select * from pg_catalog.pg_lock_status() l
   where (select rolsuper from pg_catalog.pg_roles where rolname = session_user)
      or l.database = (select oid from pg_catalog.pg_database where datname = current_database())
      or l.pid in (select pid from trellis.own_sessions())`

/**
 * System views that list all databases of the cluster. Their `call` is replaced by a function of ours (`replacement`) that
 * returns only the rows of `body`, with the columns of the `source` function.
 */
const OWN_ROWS_VIEWS = [
  {
    view: 'pg_stat_activity',
    source: 'pg_stat_get_activity',
    call: 'pg_stat_get_activity(NULL::integer)',
    replacement: 'own_sessions',
    body: OWN_SESSIONS_BODY,
  },
  {
    view: 'pg_locks',
    source: 'pg_lock_status',
    call: 'pg_lock_status()',
    replacement: 'own_locks',
    body: OWN_LOCKS_BODY,
  },
] as const

/** Role names contain people's and workspaces' names, and every login can list all roles. */
const ROLE_VIEWS = [
  { view: 'pg_roles', id: 'oid', name: 'rolname' },
  { view: 'pg_user', id: 'usesysid', name: 'usename' },
  { view: 'pg_group', id: 'grosysid', name: 'groname' },
] as const
const FIRST_USER_OID = 16_384

/**
 * The SQL standard limits these views to owners, but drizzle-kit reads keys there. An unexpected definition is left
 * unchanged.
 */
const READABLE_CONSTRAINT_VIEWS = [
  {
    view: 'table_constraints',
    markOfWidened: "'SELECT, INSERT, UPDATE",
    widen: (definition: string) =>
      definition.replaceAll(
        /((?:has_table_privilege|has_any_column_privilege)\([^()]*, ')INSERT, UPDATE/g,
        '$1SELECT, INSERT, UPDATE',
      ),
  },
  {
    view: 'constraint_column_usage',
    markOfWidened: 'has_column_privilege',
    widen: (definition: string) =>
      definition.replace(
        /pg_has_role\(((?:\w+\.)?)tblowner, 'USAGE'::text\)/,
        (owner, tableAlias: string) =>
          `(${owner} or case when has_schema_privilege(${tableAlias}tblschema::text, 'USAGE')
              then has_column_privilege(format('%I.%I', ${tableAlias}tblschema, ${tableAlias}tblname), ${tableAlias}colname::text, 'SELECT')
              else false end)`,
      ),
  },
] as const

/** DO requires USAGE on plpgsql, which would also allow functions, hence triggers running as the loading owner. */
const REFUSE_ROUTINES = `
  create or replace function trellis.refuse_routines() returns event_trigger language plpgsql as $$
  begin
    -- A superuser counts as a member of every role.
    if exists (select from pg_catalog.pg_auth_members
                where member = session_user::regrole and roleid = '${EXTERNAL}'::regrole) then
      raise insufficient_privilege using message = 'A login for an outside tool can not create functions or procedures.',
        hint = 'DO blocks work. Ask a workspace admin to create the function in Trellis.';
    end if;
  end $$`

/**
 * Grants external logins (`guest`) what psql, pg_dump, drivers and BI tools need, and limits system views so that they do
 * not reveal other workspaces. In the connected database; superuser only.
 */
export async function grantAccessForExternalTools(client: pg.Client, { guest }: WorkspaceNames): Promise<void> {
  await client.query(`grant execute on function pg_export_snapshot(), pg_blocking_pids(integer) to ${guest}`)
  await client.query(REFUSE_ROUTINES)
  await client.query('drop event trigger if exists trellis_refuse_routines')
  await client.query(
    `create event trigger trellis_refuse_routines on ddl_command_start
       when tag in ('CREATE FUNCTION', 'CREATE PROCEDURE') execute function trellis.refuse_routines()`,
  )
  await client.query(`grant usage on language plpgsql to ${guest}`)
  await client.query('set local allow_system_table_mods = on')
  for (const narrowing of OWN_ROWS_VIEWS) await limitViewToOwnRows(client, guest, narrowing)
  for (const narrowing of ROLE_VIEWS) await limitRoleView(client, narrowing)
  for (const widening of READABLE_CONSTRAINT_VIEWS) await showConstraintsToReaders(client, widening)
  await client.query('set local allow_system_table_mods = off')
}

/** Replaces the view by one that also shows constraints of tables that may only be read. Idempotent. */
async function showConstraintsToReaders(
  client: pg.Client,
  { view, markOfWidened, widen }: (typeof READABLE_CONSTRAINT_VIEWS)[number],
): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_viewdef(format('information_schema.%I', $1::text)::regclass) as definition`,
    [view],
  )
  const definition = rows[0]?.definition ?? ''
  const widenedDefinition = widen(definition)
  if (definition.includes(markOfWidened) || widenedDefinition === definition) return
  await client.query(`create or replace view information_schema.${view} as ${widenedDefinition}`)
}

/** Tools look up owners, so superusers and built-in roles stay visible. */
async function limitRoleView(client: pg.Client, { view, id, name }: (typeof ROLE_VIEWS)[number]): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_viewdef(format('pg_catalog.%I', $1::text)::regclass) as definition`,
    [view],
  )
  const definition = rows[0]?.definition.trim().replace(/;$/, '') ?? ''
  if (definition.includes('_guest')) return
  await client.query(
    `create or replace view pg_catalog.${view} as select every.* from (${definition}) every
      where (select rolsuper from pg_catalog.pg_authid where rolname = session_user)
         or every.${id} < ${FIRST_USER_OID} or starts_with(every.${name}, current_database() || '_')
         or exists (select from pg_catalog.pg_authid a where a.oid = every.${id} and a.rolsuper)
         or exists (select from pg_catalog.pg_auth_members m join pg_catalog.pg_authid g on g.oid = m.roleid
                     where m.member = every.${id} and g.rolname = current_database() || '_guest')`,
  )
}

/**
 * Tools query these views by name, but they list all databases. Columns are taken from the catalogue, as they differ
 * between versions.
 */
async function limitViewToOwnRows(
  client: pg.Client,
  guest: string,
  narrowing: (typeof OWN_ROWS_VIEWS)[number],
): Promise<void> {
  const { view, source, call, replacement, body } = narrowing
  const { rows } = await client.query<{ columns: string; definition: string }>(
    `select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', ' order by a.at) as columns,
            pg_get_viewdef(format('pg_catalog.%I', $2::text)::regclass) as definition
       from pg_proc p, unnest(p.proargnames, p.proallargtypes, p.proargmodes) with ordinality as a(name, type, mode, at)
      where p.pronamespace = 'pg_catalog'::regnamespace and p.proname = $1 and a.mode = 'o'`,
    [source, view],
  )
  const row = rows[0]
  if (!row) throw new Error(`This Postgres has no ${view}.`)
  await client.query(
    `create or replace function trellis.${replacement}() returns table (${row.columns}) language sql stable
       security definer set search_path = pg_catalog as $$ ${body} $$`,
  )
  await client.query(`revoke execute on function trellis.${replacement}() from public`)
  await client.query(`grant execute on function trellis.${replacement}() to ${guest}`)
  if (row.definition.includes(`trellis.${replacement}()`)) return
  const definition = row.definition.replace(call, `trellis.${replacement}()`)
  if (definition === row.definition) throw new Error(`The definition of ${view} is not one that is understood.`)
  await client.query(`create or replace view pg_catalog.${view} as ${definition}`)
}
