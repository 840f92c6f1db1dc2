import type { CatalogueColumn, CatalogueTable } from '../../catalogue/find-table.ts'
import { readObjects } from '../../catalogue/plain-session.ts'
import type { Session } from '../../session.ts'

export interface EditableColumn extends CatalogueColumn {
  readonly identity: 'always' | 'by_default' | null
  readonly isGenerated: boolean
  readonly hasDefault: boolean
  readonly labels: readonly string[] | null
}

export interface EditableTable {
  readonly quoted: string
  readonly columns: readonly EditableColumn[]
  readonly key: readonly EditableColumn[]
  readonly problem: string | null
}

interface EditingFacts {
  readonly columns: readonly Pick<EditableColumn, 'name' | 'identity' | 'isGenerated' | 'hasDefault' | 'labels'>[]
  readonly keys: readonly (readonly string[])[]
  readonly canWrite: boolean
}

const COLUMNS_QUERY = `
  select json_agg(json_build_object(
           'name', a.attname,
           'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by_default' end,
           'isGenerated', a.attgenerated <> '',
           'hasDefault', a.atthasdef or a.attidentity <> '',
           'labels', (with recursive below(oid, base) as (
                        select t.oid, t.typbasetype from pg_type t where t.oid = a.atttypid
                        union all
                        select t.oid, t.typbasetype from below join pg_type t on t.oid = below.base
                      ) select json_agg(e.enumlabel order by e.enumsortorder)
                          from below join pg_enum e on e.enumtypid = below.oid where below.base = 0)
         ) order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

/** Deferrable keys can be violated temporarily; partial and expression indexes identify no row. */
const KEYS_QUERY = `
  select json_agg(q.names order by q.is_primary desc, json_array_length(q.names), q.name)
    from (select i.indisprimary as is_primary, x.relname as name,
                 (select json_agg(a.attname order by k.place)
                    from unnest(i.indkey::int2[]) with ordinality k(number, place)
                    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
                   where k.place <= i.indnkeyatts) as names
            from pg_index i join pg_class x on x.oid = i.indexrelid
           where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate
             and i.indpred is null and i.indexprs is null
             and not exists (select from unnest(i.indkey::int2[]) with ordinality k(number, place)
                               join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
                              where k.place <= i.indnkeyatts and not a.attnotnull)) q`

const EDITING_FACTS_QUERY = `
  select coalesce((${COLUMNS_QUERY}), '[]') as columns, coalesce((${KEYS_QUERY}), '[]') as keys,
         has_table_privilege(c.oid, 'INSERT') and has_table_privilege(c.oid, 'UPDATE')
           and has_table_privilege(c.oid, 'DELETE') and has_table_privilege(c.oid, 'SELECT') as "canWrite"
    from pg_class c where c.oid = $1::oid`

const READ_ONLY_KINDS: Partial<Record<CatalogueTable['kind'], string>> = {
  view: 'The rows of a view come from other tables. Edit them there.',
  materialized_view: 'The rows of a materialized view come from other tables. Edit them there.',
  foreign_table: 'The rows of a foreign table lie in another database. Edit them there.',
}

export async function readEditableTable(session: Session, table: CatalogueTable): Promise<EditableTable> {
  const [facts] = await readObjects<EditingFacts>(session, EDITING_FACTS_QUERY, [String(table.oid)])
  const { columns: columnFactsList = [], keys = [], canWrite = false } = facts ?? {}
  const columns = table.columns.map((column): EditableColumn => {
    const columnFacts = columnFactsList.find(({ name }) => name === column.name)
    const { identity = null, isGenerated = false, hasDefault = false, labels = null } = columnFacts ?? {}
    return { ...column, identity, isGenerated, hasDefault, labels }
  })
  const key = (keys[0] ?? []).flatMap((name) => columns.find((column) => column.name === name) ?? [])
  return { quoted: table.quoted, columns, key, problem: findProblem(table, { hasKey: key.length > 0, canWrite }) }
}

function findProblem(
  { kind }: CatalogueTable,
  { hasKey, canWrite }: { hasKey: boolean; canWrite: boolean },
): string | null {
  const kindProblem = READ_ONLY_KINDS[kind]
  if (kindProblem !== undefined) return kindProblem
  if (!canWrite) return 'The database gives no right to write to this table.'
  if (!hasKey) {
    return 'This table has no primary key, nor a unique key without NULL, so a row can’t be told from others. Add a key to edit rows.'
  }
  return null
}
