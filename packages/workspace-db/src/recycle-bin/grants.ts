import pg from 'pg'
import type { SavedGrant } from './manifest.ts'

const quote = pg.escapeIdentifier

const GRANTS_QUERY = `
  with owned as (
    select c.oid, c.relname, c.relacl as acl, c.relowner as owner, c.relkind = 'S' as "isSequence"
      from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  ), rights as (
    select case when o."isSequence" then 'sequence' else 'table' end as on, o.relname as name, null::name as column,
           a.*, o.owner
      from owned o cross join lateral aclexplode(o.acl) with ordinality a
    union all
    select 'column', o.relname, t.attname, a.*, o.owner
      from owned o join pg_attribute t on t.attrelid = o.oid and not t.attisdropped
     cross join lateral aclexplode(t.attacl) with ordinality a
    union all
    select 'schema', n.nspname, null, a.*, n.nspowner from pg_namespace n cross join lateral aclexplode(n.nspacl) with ordinality a
     where n.oid = $1::regnamespace
  )
  select r.on, $2::text as bin, r.name, r.column, nullif(r.grantee, 0)::regrole::text as grantee,
         r.privilege_type as privilege, r.is_grantable as "isGrantable",
         nullif(r.grantor, r.owner)::regrole::text as grantor
    from rights r where r.grantee <> r.owner
   order by 1, 3, 4, r.ordinality`

/** Revokes all grants on objects of the bin schema, and returns them to be restored. `grantor` is null for the owner. */
export async function revokeGrants(client: pg.Client, bin: string): Promise<SavedGrant[]> {
  const { rows } = await client.query<SavedGrant>(GRANTS_QUERY, [quote(bin), bin])
  // CASCADE revokes dependent grants.
  const ownerGrants = rows.filter(({ grantor }) => grantor === null)
  await runInBatches(
    client,
    ownerGrants.map((grant) => `revoke ${formatPrivilege(grant)} from ${toGranteeName(grant)} cascade`),
  )
  return rows
}

/**
 * Restores what the owner granted; skips grants to roles that are gone. Grants made by grantees (`grantor`) need the
 * objects back in place first: `restoreDependentGrants`.
 */
export async function restoreOwnerGrants(client: pg.Client, grants: readonly SavedGrant[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select rolname as name from pg_roles')
  const existingRoles = new Set(rows.map(({ name }) => quoteAsRegrole(name)))
  await runInBatches(
    client,
    grants
      .filter(({ grantee, grantor }) => !grantor && (grantee === null || existingRoles.has(grantee)))
      .map(buildGrantStatement),
  )
}

const buildGrantStatement = (grant: SavedGrant) =>
  `grant ${formatPrivilege(grant)} to ${toGranteeName(grant)}${grant.isGrantable ? ' with grant option' : ''}`

/** Restores grants made by grantees, as those roles, once objects are back in place. Returns failures. */
export async function restoreDependentGrants(client: pg.Client, grants: readonly SavedGrant[]): Promise<string[]> {
  let remainingGrants = grants.filter(({ grantor }) => Boolean(grantor))
  // Grants may depend on each other, so this repeats.
  for (let previousCount = Infinity; remainingGrants.length < previousCount;) {
    previousCount = remainingGrants.length
    const failedGrants: SavedGrant[] = []
    for (const grant of remainingGrants) if (!(await tryGrantAsGrantor(client, grant))) failedGrants.push(grant)
    remainingGrants = failedGrants
  }
  return remainingGrants.map(
    (grant) =>
      `The right ${formatPrivilege(grant)} that ${grant.grantor} gave to ${toGranteeName(grant)} could not be given again.`,
  )
}

async function tryGrantAsGrantor(client: pg.Client, grant: SavedGrant): Promise<boolean> {
  await client.query('savepoint handing_on')
  try {
    await client.query(`set local role ${grant.grantor}`)
    await client.query(buildGrantStatement(grant))
    await client.query('reset role')
    return true
  } catch {
    await client.query('rollback to savepoint handing_on')
    return false
  }
}

const quoteAsRegrole = (name: string) => (/^[a-z_][a-z0-9_$]*$/.test(name) ? name : quote(name))

const toGranteeName = (grant: SavedGrant): string => grant.grantee ?? 'public'

function formatPrivilege({ on, bin, name, column, privilege }: SavedGrant): string {
  if (on === 'schema') return `${privilege} on schema ${quote(bin)}`
  const privilegeWithColumn = on === 'column' ? `${privilege} (${quote(column ?? '')})` : privilege
  return `${privilegeWithColumn} on ${on === 'sequence' ? 'sequence' : 'table'} ${quote(bin)}.${quote(name)}`
}

const MAX_STATEMENTS_PER_QUERY = 200

async function runInBatches(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (let start = 0; start < statements.length; start += MAX_STATEMENTS_PER_QUERY) {
    await client.query(statements.slice(start, start + MAX_STATEMENTS_PER_QUERY).join(';'))
  }
}
