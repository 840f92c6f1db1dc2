import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { findSchema } from '../schemas/find-schemas.ts'
import { toProfileRoleName } from './access-names.ts'

export interface RightQuestion {
  readonly key: string
  readonly slug: string
  readonly schema: string
  readonly table: string | null
  readonly action: 'connect' | 'read' | 'write' | 'create'
}
export interface RightAnswer {
  readonly canUse: boolean
  readonly canCreate: boolean
  readonly canDo: boolean | null
  readonly tables: number
  readonly openTables: number
  readonly isOpenByDefault: boolean
}

const RIGHT_QUERY = `
  select has_schema_privilege($1, $2::oid, 'usage') as "canUse", has_schema_privilege($1, $2::oid, 'create') as "canCreate",
         (select has_table_privilege($1, c.oid, $4) from pg_class c
           where c.relnamespace = $2::oid and c.relname = $3 and c.relkind in ('r', 'p', 'v', 'm', 'f')) as "canDo",
         (select count(*)::int from pg_class c where c.relnamespace = $2::oid and c.relkind in ('r', 'p', 'f')) as tables,
         (select count(*)::int from pg_class c where c.relnamespace = $2::oid and c.relkind in ('r', 'p', 'f')
             and has_table_privilege($1, c.oid, $4)) as "openTables",
         exists (select from pg_default_acl d, aclexplode(d.defaclacl) a
           where d.defaclnamespace = $2::oid and d.defaclobjtype = 'r' and lower(a.privilege_type) = $4
             and case when a.grantee = 0 then true else pg_has_role($1::name, a.grantee, 'usage') end) as "isOpenByDefault",
         $3::text is null or exists (select from pg_class c
           where c.relnamespace = $2::oid and c.relname = $3 and c.relkind in ('r', 'p', 'v', 'm', 'f')) as "isThere"`

export async function findRight(cluster: Cluster, question: RightQuestion): Promise<RightAnswer | undefined> {
  const names = toWorkspaceNames(question.key)
  return await cluster.withAdmin(names.database, async (client) => {
    const schema = await findSchema(client, names, question.schema)
    if (!schema) return undefined
    const { rows } = await client.query<RightAnswer & { isThere: boolean }>(RIGHT_QUERY, [
      toProfileRoleName(names, question.slug),
      schema.oid,
      question.table,
      question.action === 'write' ? 'insert' : 'select',
    ])
    const answer = rows[0]
    return answer?.isThere ? answer : undefined
  })
}
