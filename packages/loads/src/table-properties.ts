import type { Session } from '@trellis/workspace-db/session'
import { quoteName, quoteText } from '@trellis/workspace-db/identifiers'
import { formatArrayLiteral } from './checks.ts'
import type { TableName } from './target.ts'

async function queryFirstColumn(session: Session, text: string, values: readonly string[] = []): Promise<string[]> {
  const { rows } = await session.query({ text, values })
  return rows.flatMap(([value]) => value ?? [])
}

async function buildGrantStatements(session: Session, oid: string, targetTable: string): Promise<string[]> {
  const grants = await queryFirstColumn(
    session,
    `select format('grant %s on %s to %s%s', x.privilege_type || a.columns, $2::text,
                   case x.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end,
                   case when x.is_grantable then ' with grant option' else '' end)
       from (select relacl as acl, relowner, '' as columns from pg_class where oid = $1::oid
             union all
             select a.attacl, c.relowner, ' (' || quote_ident(a.attname) || ')'
               from pg_attribute a join pg_class c on c.oid = a.attrelid
              where a.attrelid = $1::oid and a.attacl is not null and not a.attisdropped) a,
            aclexplode(a.acl) x
      where x.grantee <> a.relowner`,
    [oid, targetTable],
  )
  return [...(await buildRevokeStatements(session, targetTable)), ...grants]
}

async function buildRevokeStatements(session: Session, table: string): Promise<string[]> {
  return await queryFirstColumn(
    session,
    `select distinct format('revoke all on %s from %s', $1::text,
              case x.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end)
       from pg_class c, aclexplode(c.relacl) x where c.oid = $1::regclass and x.grantee <> c.relowner`,
    [table],
  )
}

export async function copyGrants(session: Session, fromOid: string, targetTable: string): Promise<void> {
  for (const text of await buildGrantStatements(session, fromOid, targetTable)) await session.query({ text })
}

/** Default privileges of the schema. */
export async function copyDefaultPrivileges(session: Session, table: TableName, targetTable: string): Promise<void> {
  const emptyTable = `${quoteName(table.schema)}.${quoteName(table.table)}`
  await session.query({ text: `create table ${emptyTable} ()` })
  const [oid] = await queryFirstColumn(session, `select $1::regclass::oid::text`, [emptyTable])
  await copyGrants(session, oid ?? '', targetTable)
  await session.query({ text: `drop table ${emptyTable}` })
}

/** Defaults, comments, constraints and storage; `nullable` columns lose NOT NULL. */
export async function copyProperties(
  session: Session,
  fromOid: string,
  { to: targetTable, nullable }: { to: string; nullable: readonly string[] },
): Promise<void> {
  const statements = await queryFirstColumn(
    session,
    `select text from (
       select 1 as step, a.attnum::int as place, format('alter table %s alter column %I set default %s', $2::text, a.attname, pg_get_expr(d.adbin, d.adrelid)) as text
         from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = $1::oid
       union all
       select 2, a.attnum, format('alter table %s alter column %I set not null', $2::text, a.attname)
         from pg_attribute a where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped and a.attnotnull
          and a.attname <> all($3::text[])
       union all
       select 3, 0, format('alter table %s add constraint %I %s', $2::text, k.conname, pg_get_constraintdef(k.oid))
         from pg_constraint k where k.conrelid = $1::oid and k.contype = 'c'
       union all
       select 4, coalesce(d.objsubid, 0), case when d.objsubid = 0 then format('comment on table %s is %L', $2::text, d.description)
                else format('comment on column %s.%I is %L', $2::text, a.attname, d.description) end
         from pg_description d left join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid
        where d.objoid = $1::oid and d.classoid = 'pg_class'::regclass
       union all
       select 5, a.attnum, format('alter table %s alter column %I set storage %s', $2::text, a.attname,
                case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
         from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped and a.attstorage <> t.typstorage
       union all
       select 6, a.attnum, format('alter table %s alter column %I set statistics %s', $2::text, a.attname, a.attstattarget)
         from pg_attribute a where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped and a.attstattarget >= 0
       union all
       select 7, 0, format('alter table %s set (%s)', $2::text, array_to_string(c.reloptions, ', '))
         from pg_class c where c.oid = $1::oid and c.reloptions is not null
     ) found order by step, place`,
    [fromOid, targetTable, formatArrayLiteral(nullable)],
  )
  for (const text of statements) await session.query({ text })
}

export interface IndexDefinition {
  readonly name: string
  readonly isPrimary: boolean
  readonly columns: string
  /** Builds `alter table … add constraint` or `create index` for another table and name. */
  readonly buildStatement: (table: string, name: string) => string
  readonly isConstraint: boolean
  readonly comment: string | null
}

/** Names are cut off by length, as they may contain any keyword. */
export async function readIndexes(session: Session, table: string): Promise<IndexDefinition[]> {
  const { rows } = await session.query({
    text: `select i.relname, k.oid is not null, coalesce(pg_get_constraintdef(k.oid), ''),
                  case when x.indisunique then 'unique ' else '' end,
                  substr(pg_get_indexdef(i.oid), 1 + length(format('CREATE %sINDEX %I ON %I.%I USING ',
                    case when x.indisunique then 'UNIQUE ' else '' end, i.relname, n.nspname, t.relname))),
                  obj_description(coalesce(k.oid, i.oid)), x.indisprimary,
                  coalesce((select string_agg(a.attname, '_' order by u.ord) from unnest(x.indkey) with ordinality u(num, ord)
                    join pg_attribute a on a.attrelid = x.indrelid and a.attnum = u.num), '')
             from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
             join pg_namespace n on n.oid = t.relnamespace
             left join pg_constraint k on k.conindid = i.oid and k.conrelid = x.indrelid and k.contype in ('p', 'u')
            where x.indrelid = $1::regclass order by x.indisprimary desc, i.relname`,
    values: [table],
  })
  return rows.map(([name, isKey, definition, unique, using, comment, isPrimary, columns]) => ({
    name: name ?? '',
    isPrimary: isPrimary === 't',
    columns: columns ?? '',
    isConstraint: isKey === 't',
    comment: comment ?? null,
    buildStatement: (table: string, newName: string) =>
      isKey === 't'
        ? `alter table ${table} add constraint ${quoteName(newName)} ${definition}`
        : `create ${unique}index ${quoteName(newName)} on ${table} using ${using}`,
  }))
}

export async function findFreeName(session: Session, schema: string, desiredName: string): Promise<string> {
  const shortName = truncateName(desiredName)
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? shortName : `${truncateName(desiredName, String(number).length)}${number}`
    const existing = await queryFirstColumn(
      session,
      `select '1' from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
      [schema, name],
    )
    if (existing.length === 0) return name
  }
}

function truncateName(name: string, reservedBytes = 0): string {
  let truncated = name
  while (Buffer.byteLength(truncated) > 63 - reservedBytes) truncated = truncated.slice(0, -1)
  return truncated
}

export const buildCommentStatement = (target: string, text: string) => `comment on ${target} is ${quoteText(text)}`
