const USER_SCHEMAS = "n.nspname !~ '^(pg_|information_schema$|trellis)'"

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** psql patterns: `*` and `?` are wildcards, quotes keep capitals. */
function buildPatternCondition(pattern: string, schemaColumn: string, nameColumn: string): string {
  if (pattern === '') return ''
  const parts = splitPattern(pattern)
  const [last = '', first] = parts.toReversed()
  const conditions = [`${nameColumn} ~ ${quoteText(toRegex(last))}`]
  if (first !== undefined) conditions.push(`${schemaColumn} ~ ${quoteText(toRegex(first))}`)
  return conditions.map((condition) => `\n  and ${condition}`).join('')
}

const splitPattern = (pattern: string): string[] => pattern.match(/(?:"(?:[^"]|"")*"|[^."])+/g) ?? [pattern]

function toRegex(part: string): string {
  const pieces = part.match(/"(?:[^"]|"")*"?|[^"]+/g) ?? []
  const body = pieces.map((piece) => {
    const isQuoted = piece.startsWith('"')
    const text = isQuoted ? piece.slice(1).replace(/"$/, '').replaceAll('""', '"') : piece.toLowerCase()
    const escaped = text.replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    return isQuoted
      ? escaped.replaceAll('*', String.raw`\*`).replaceAll('?', String.raw`\?`)
      : escaped.replaceAll('*', '.*').replaceAll('?', '.')
  })
  return `^(${body.join('')})$`
}

const KIND = `case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
    when 'm' then 'materialized view' when 'i' then 'index' when 'S' then 'sequence' when 'f' then 'foreign table' end`

export function listRelationsQuery(kinds: string, pattern: string): string {
  const size = /[rmpi]/.test(kinds) ? ',\n  pg_size_pretty(pg_total_relation_size(c.oid)) as size' : ''
  return `select n.nspname as schema, c.relname as name, ${KIND} as type,
  pg_get_userbyid(c.relowner) as owner${size}, obj_description(c.oid, 'pg_class') as description
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in (${[...kinds].map((kind) => quoteText(kind)).join(', ')}) and ${USER_SCHEMAS}${buildPatternCondition(pattern, 'n.nspname', 'c.relname')}
order by 1, 2`
}

export function describeTableQueries(pattern: string): string[] {
  const where = `where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${USER_SCHEMAS}${buildPatternCondition(pattern, 'n.nspname', 'c.relname')}`
  const relation = 'n.nspname || \'.\' || c.relname as "table"'
  return [
    `select ${relation}, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
  not a.attnotnull as nullable, pg_get_expr(d.adbin, d.adrelid) as default,
  col_description(c.oid, a.attnum) as description
from pg_class c join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
${where}
order by 1, a.attnum`,
    `select ${relation}, i.relname as index, x.indisunique as "unique", pg_get_indexdef(i.oid) as definition
from pg_class c join pg_namespace n on n.oid = c.relnamespace
join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
${where}
order by 1, 2`,
    `select ${relation}, k.conname as constraint, pg_get_constraintdef(k.oid) as definition,
  case when k.conrelid = c.oid then 'own' else 'referenced by ' || k.conrelid::regclass end as side
from pg_class c join pg_namespace n on n.oid = c.relnamespace
join pg_constraint k on k.conrelid = c.oid or (k.contype = 'f' and k.confrelid = c.oid)
${where}
order by 1, 4, 2`,
  ]
}

export const listSchemasQuery = (pattern: string): string =>
  `select n.nspname as name, pg_get_userbyid(n.nspowner) as owner, obj_description(n.oid, 'pg_namespace') as description
from pg_namespace n
where ${USER_SCHEMAS}${buildPatternCondition(pattern, 'n.nspname', 'n.nspname')}
order by 1`

export const listFunctionsQuery = (pattern: string): string =>
  `select n.nspname as schema, p.proname as name, pg_get_function_result(p.oid) as result,
  pg_get_function_arguments(p.oid) as arguments,
  case p.prokind when 'a' then 'aggregate' when 'w' then 'window' when 'p' then 'procedure' else 'function' end as type,
  obj_description(p.oid, 'pg_proc') as description
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where ${pattern === '' ? USER_SCHEMAS : 'true'}${buildPatternCondition(pattern, 'n.nspname', 'p.proname')}
order by 1, 2, 4`

export const listRolesQuery = (pattern: string): string =>
  `select r.rolname as role, r.rolcanlogin as can_log_in, r.rolsuper as superuser, r.rolcreatedb as create_databases,
  array(select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as member_of
from pg_roles r
where r.rolname !~ '^pg_'${buildPatternCondition(pattern, 'r.rolname', 'r.rolname')}
order by 1`

export const listDatabasesQuery = (pattern: string): string =>
  `select d.datname as name, pg_get_userbyid(d.datdba) as owner, pg_encoding_to_char(d.encoding) as encoding,
  d.datcollate as collation
from pg_database d
where not d.datistemplate and has_database_privilege(d.oid, 'connect')${buildPatternCondition(pattern, 'd.datname', 'd.datname')}
order by 1`

export const listTypesQuery = (pattern: string): string =>
  `select n.nspname as schema, format_type(t.oid, null) as name,
  array(select e.enumlabel from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) as values,
  obj_description(t.oid, 'pg_type') as description
from pg_type t join pg_namespace n on n.oid = t.typnamespace
where ${USER_SCHEMAS} and t.typtype in ('e', 'd', 'r', 'c') and not exists (
  select from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')${buildPatternCondition(pattern, 'n.nspname', 't.typname')}
order by 1, 2`

export const showFunctionQuery = (pattern: string): string =>
  `select pg_get_functiondef(p.oid) as definition
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where p.prokind in ('f', 'p') and ${USER_SCHEMAS}${buildPatternCondition(pattern, 'n.nspname', 'p.proname')}
order by n.nspname, p.proname`

export const showViewQuery = (pattern: string): string =>
  `select n.nspname || '.' || c.relname as view, pg_get_viewdef(c.oid, true) as definition
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and ${USER_SCHEMAS}${buildPatternCondition(pattern, 'n.nspname', 'c.relname')}
order by 1`

export const connectionQuery = (): string =>
  `select current_database() as database, current_user as role, current_setting('server_version') as server_version,
  current_setting('search_path') as search_path, current_setting('transaction_read_only') as read_only`
