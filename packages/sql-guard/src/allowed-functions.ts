import type { Cluster } from '@trellis/workspace-db/cluster'
import type { Session } from '@trellis/workspace-db/session'

/** Read-only, but they reveal the server, its roles and settings, or run text as SQL. */
const FORBIDDEN = [
  '^_?pg_',
  '^(current|session)_',
  '^(set_config|version|user|getpgusername|system_user|row_security_active)$',
  '^has_.*privilege',
  '^(acl|makeacl|mxid|txid_|binary_upgrade|brin|gin|gist|spg|hash|amvalidate)',
  '^bt.*(cmp|sortsupport|equalimage|handler|skipsupport)$',
  '^(to_)?reg(class|collation|config|database|dictionary|namespace|oper|operator|proc|procedure|role|type)',
  '^(obj_|col_|shobj_|format_type|inet_client|inet_server)',
  '^lo(_|read|write)',
  '^xml|^xpath|_to_xml',
  '^ts_(stat|rewrite|parse|token|debug|lexize)',
  '^(currval|lastval|nextval|setval|currtid)',
  '^(suppress_redundant|tsvector_update|ri_|RI_|unique_key)',
  '(handler|support|sel|validate|typanalyze|trigger|sortsupport|typmodin|typmodout)$',
  '(in|out|recv|send)$',
]

const ALLOWED_DESPITE_NAME = ['min', 'sin', 'asin', 'date_bin']

const ALLOWED_VOLATILE = ['random', 'clock_timestamp', 'gen_random_uuid', 'timeofday']

/** One row, because the session's row limit may be small. */
const LIST = `
  select string_agg(proname, ',') from (select p.proname from pg_catalog.pg_proc p
   where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind in ('f', 'a', 'w')
   group by p.proname
  having (bool_and(p.provolatile in ('i', 's')) and (p.proname = any(string_to_array($2, ','))
            or not p.proname ~ any(array(select json_array_elements_text($1::json)))))
      or p.proname = any(string_to_array($3, ','))) allowed`

const lists = new WeakMap<Cluster, Promise<ReadonlySet<string>>>()

export async function listAllowedFunctions(session: Session): Promise<ReadonlySet<string>> {
  const { rows } = await session.query({
    text: LIST,
    values: [JSON.stringify(FORBIDDEN), ALLOWED_DESPITE_NAME.join(','), ALLOWED_VOLATILE.join(',')],
  })
  return new Set(rows[0]?.[0]?.split(','))
}

export function cacheAllowedFunctions(
  cluster: Cluster,
  read: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  const known = lists.get(cluster)
  if (known) return known
  const reading = read().catch((error: unknown) => {
    lists.delete(cluster)
    throw error
  })
  lists.set(cluster, reading)
  return reading
}
