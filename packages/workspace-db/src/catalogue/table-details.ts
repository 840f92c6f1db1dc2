import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import type { CatalogueTable } from './find-table.ts'
import { buildSize } from './list-tables.ts'

interface ColumnDetails {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly default: string | null
  readonly isGenerated: boolean
  readonly description: string | null
}

export interface ForeignKeyDetails {
  readonly name: string
  readonly columns: readonly string[]
  readonly schema: string
  readonly table: string
  readonly otherColumns: readonly string[]
}

interface IndexDetails {
  readonly name: string
  readonly method: string
  readonly definition: string
  readonly isUnique: boolean
  readonly sizeBytes: number
}

interface TableFacts {
  readonly description: string | null
  readonly sizeBytes: number
  readonly indexBytes: number
  readonly viewDefinition: string | null
  readonly analyzedAt: string | null
}

export interface TableParts extends TableFacts {
  readonly columns: readonly ColumnDetails[]
  readonly indexes: readonly IndexDetails[]
  readonly references: readonly ForeignKeyDetails[]
  readonly referencedBy: readonly ForeignKeyDetails[]
}

export async function readTableDetails(session: Session, table: CatalogueTable): Promise<TableParts> {
  const parameters = [String(table.oid)]
  const [facts] = await readObjects<TableFacts>(session, FACTS_QUERY, parameters)
  const columns = await readObjects<ColumnDetails>(session, COLUMNS_QUERY, parameters)
  const indexes = await readObjects<IndexDetails>(session, INDEXES_QUERY, parameters)
  const references = await readObjects<ForeignKeyDetails>(
    session,
    buildForeignKeysQuery('k.conrelid', 'k.confrelid'),
    parameters,
  )
  const referencedBy = await readObjects<ForeignKeyDetails>(
    session,
    buildForeignKeysQuery('k.confrelid', 'k.conrelid'),
    parameters,
  )
  const emptyFacts: TableFacts = {
    description: null,
    sizeBytes: 0,
    indexBytes: 0,
    viewDefinition: null,
    analyzedAt: null,
  }
  return { ...(facts ?? emptyFacts), columns, indexes, references, referencedBy }
}

const FACTS_QUERY = `
  select obj_description(c.oid, 'pg_class') as description,
         ${buildSize('coalesce(pg_total_relation_size(c.oid), 0)')} as "sizeBytes",
         case when c.relkind = 'p'
              then (select coalesce(sum(pg_indexes_size(t.relid)), 0) from pg_partition_tree(c.oid) t)
              else coalesce(pg_indexes_size(c.oid), 0) end as "indexBytes",
         case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid, true) end as "viewDefinition",
         to_char(greatest(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid))
                   at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "analyzedAt"
    from pg_class c where c.oid = $1::oid`

const COLUMNS_QUERY = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNullable",
         pg_get_expr(d.adbin, d.adrelid) as default,
         a.attgenerated <> '' or a.attidentity <> '' as "isGenerated",
         col_description(a.attrelid, a.attnum) as description
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
   order by a.attnum`

const INDEXES_QUERY = `
  select c.relname as name, m.amname as method, pg_get_indexdef(i.indexrelid) as definition,
         i.indisunique as "isUnique", coalesce(pg_relation_size(i.indexrelid), 0) as "sizeBytes"
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
   where i.indrelid = $1::oid
   order by i.indisprimary desc, c.relname`

const toColumnNamesSql = (relation: string, numbers: string) =>
  `(select array_agg(a.attname::text order by n.place) from unnest(${numbers}) with ordinality n(number, place)
      join pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number)`

function buildForeignKeysQuery(ownSide: string, otherSide: string): string {
  const isReferencing = ownSide === 'k.conrelid'
  const [ownColumns, otherColumns] = isReferencing ? ['k.conkey', 'k.confkey'] : ['k.confkey', 'k.conkey']
  return `
    select k.conname as name, ${toColumnNamesSql(ownSide, ownColumns ?? '')} as columns, s.nspname as schema, t.relname as table,
           ${toColumnNamesSql(otherSide, otherColumns ?? '')} as "otherColumns"
      from pg_constraint k join pg_class t on t.oid = ${otherSide} join pg_namespace s on s.oid = t.relnamespace
     where k.contype = 'f' and ${ownSide} = $1::oid and k.conparentid = 0
     order by k.conname`
}
