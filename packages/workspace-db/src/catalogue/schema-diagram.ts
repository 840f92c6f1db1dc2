import type { Session } from '../session.ts'
import type { CatalogueSchema } from './find-table.ts'
import { readObjects } from './plain-session.ts'
import { type KindLetter, TABLE_KINDS, type TableKind } from './visible.ts'

const MAX_DIAGRAM_TABLES = 400

interface DiagramColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
}

interface DiagramTable {
  readonly name: string
  readonly kind: TableKind
  readonly columns: readonly DiagramColumn[]
}

interface DiagramKey {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  readonly otherSchema: string
  readonly otherTable: string
  readonly otherColumns: readonly string[]
}

interface SchemaDiagram {
  readonly tables: readonly DiagramTable[]
  readonly keys: readonly DiagramKey[]
  readonly isCut: boolean
}

/** Tables with foreign keys first. Partitions are omitted. */
const TABLES_QUERY = `
  select c.relname as name, c.relkind as kind,
         coalesce((select json_agg(json_build_object(
                     'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                     'isNullable', not a.attnotnull,
                     'isPrimaryKey', exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary
                                                and a.attnum = any(i.indkey::int2[]))) order by a.attnum)
                     from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns
    from pg_class c
   where c.relnamespace = $1::oid and c.relkind in ('r', 'p', 'f') and not c.relispartition
   order by exists (select from pg_constraint k where k.contype = 'f' and c.oid in (k.conrelid, k.confrelid)) desc, c.relname
   limit ${MAX_DIAGRAM_TABLES + 1}`

const selectColumnNames = (relation: string, numbers: string) =>
  `(select json_agg(a.attname order by n.place) from unnest(${numbers}) with ordinality n(number, place)
      join pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number)`

const FOREIGN_KEYS_QUERY = `
  select k.conname as name, c.relname as table, ${selectColumnNames('k.conrelid', 'k.conkey')} as columns,
         s.nspname as "otherSchema", o.relname as "otherTable", ${selectColumnNames('k.confrelid', 'k.confkey')} as "otherColumns"
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class o on o.oid = k.confrelid
    join pg_namespace s on s.oid = o.relnamespace
   where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = $1::oid
   order by c.relname, k.conname`

export async function readSchemaDiagram(session: Session, schema: CatalogueSchema): Promise<SchemaDiagram> {
  const parameters = [String(schema.oid)]
  const objects = await readObjects<Omit<DiagramTable, 'kind'> & { kind: KindLetter }>(
    session,
    TABLES_QUERY,
    parameters,
  )
  const keys = await readObjects<DiagramKey>(session, FOREIGN_KEYS_QUERY, parameters)
  const tables = objects.slice(0, MAX_DIAGRAM_TABLES).map((table) => ({ ...table, kind: TABLE_KINDS[table.kind] }))
  const shownTables = new Set(tables.map(({ name }) => name))
  return {
    tables,
    keys: keys.filter(({ table }) => shownTables.has(table)),
    isCut: objects.length > MAX_DIAGRAM_TABLES,
  }
}
