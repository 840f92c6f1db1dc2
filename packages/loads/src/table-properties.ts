import type { Session } from '@trellis/workspace-db/session'
import { quoteName, quoteText } from '@trellis/workspace-db/identifiers'
import { formatArrayLiteral } from './checks.ts'
import type { TableName } from './target.ts'

async function queryFirstColumn(session: Session, text: string, values: readonly string[] = []): Promise<string[]> {
  const { rows } = await session.query({ text, values })
  return rows.flatMap(([value]) => value ?? [])
}

async function grantStatements(session: Session, oid: string, to: string): Promise<string[]> {
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
    [oid, to],
  )
  return [...(await revokeStatements(session, to)), ...grants]
}

async function revokeStatements(session: Session, of: string): Promise<string[]> {
  return await queryFirstColumn(
    session,
    `select distinct format('revoke all on %s from %s', $1::text,
              case x.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end)
       from pg_class c, aclexplode(c.relacl) x where c.oid = $1::regclass and x.grantee <> c.relowner`,
    [of],
  )
}

export async function copyRights(session: Session, fromOid: string, to: string): Promise<void> {
  for (const text of await grantStatements(session, fromOid, to)) await session.query({ text })
}

/** Default privileges of the schema. */
export async function copyDefaultPrivileges(session: Session, table: TableName, to: string): Promise<void> {
  const model = `${quoteName(table.schema)}.${quoteName(table.table)}`
  await session.query({ text: `create table ${model} ()` })
  const [oid] = await queryFirstColumn(session, `select $1::regclass::oid::text`, [model])
  await copyRights(session, oid ?? '', to)
  await session.query({ text: `drop table ${model}` })
}

/** Defaults, comments, constraints and storage; `nullable` columns lose NOT NULL. */
export async function copyProperties(
  session: Session,
  fromOid: string,
  { to, nullable }: { to: string; nullable: readonly string[] },
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
    [fromOid, to, formatArrayLiteral(nullable)],
  )
  for (const text of statements) await session.query({ text })
}

export interface IndexDefinition {
  readonly name: string
  readonly isPrimary: boolean
  readonly columns: string
  /** Builds `alter table … add constraint` or `create index` for another table and name. */
  readonly make: (table: string, name: string) => string
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
    make: (table: string, own: string) =>
      isKey === 't'
        ? `alter table ${table} add constraint ${quoteName(own)} ${definition}`
        : `create ${unique}index ${quoteName(own)} on ${table} using ${using}`,
  }))
}

export async function findFreeName(session: Session, schema: string, wanted: string): Promise<string> {
  const base = shorten(wanted)
  for (let twin = 0; ; twin += 1) {
    const name = twin === 0 ? base : `${shorten(wanted, String(twin).length)}${twin}`
    const taken = await queryFirstColumn(
      session,
      `select '1' from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
      [schema, name],
    )
    if (taken.length === 0) return name
  }
}

function shorten(name: string, room = 0): string {
  let short = name
  while (Buffer.byteLength(short) > 63 - room) short = short.slice(0, -1)
  return short
}

export const commentStatement = (place: string, text: string) => `comment on ${place} is ${quoteText(text)}`
