import type pg from 'pg'

/** Executable by PUBLIC by default. Matched by name, to include variants of later versions. */
const DANGEROUS_NAMES = [
  // Even read-only roles can write large objects.
  '^lo_',
  '^loread$',
  '^lowrite$',
  // They hold a connection without using counted resources.
  '^pg_sleep',
  '^pg_notify$',
  '^pg_(try_)?advisory_',
  '^pg_export_snapshot$',
  // Can terminate other sessions of the same login.
  '^pg_(cancel|terminate)_backend$',
  // Write to the cluster's log.
  '^pg_logical_',
  '^pg_(create|copy|drop|sync)_.*slots?$',
  '^pg_replication_',
  '^binary_upgrade_',
  // Run a second statement unseen.
  '(query|cursor|table|schema|database)_to_xml',
  '^ts_(stat|rewrite)$',
  // Reveal neighbours' activity.
  '^pg_stat_get_(activity|backend_|db_|progress_info|wal_|replication_slot|subscription|ssl)',
  '^pg_(lock_status|prepared_xact|blocking_pids|safe_snapshot_blocking_pids)$',
  '^pg_(show_replication_origin_status|get_replication_slots)$',
  '^pg_control_',
  '^pg_(current|last)_wal_',
  '^pg_(available_wal_summaries|wal_summary_contents|get_wal_summarizer_state)$',
]

const DANGEROUS_NAME = new RegExp(DANGEROUS_NAMES.join('|'))

/** Superuser only. In the connected database. */
export async function revokeDangerousFunctions(client: pg.Client): Promise<void> {
  // Matched here, because Postgres' regular expressions take ten times as long for 3,000 names.
  const { rows } = await client.query<{ oid: number; proname: string }>(
    `select p.oid, p.proname from pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'
        and has_function_privilege('public', p.oid, 'EXECUTE')`,
  )
  const dangerousOids = rows.filter(({ proname }) => DANGEROUS_NAME.test(proname)).map(({ oid }) => oid)
  if (dangerousOids.length === 0) return
  const { rows: signatureRows } = await client.query<{ signatures: string }>(
    `select string_agg(oid::regprocedure::text, ', ') as signatures from unnest($1::oid[]) as oid`,
    [dangerousOids],
  )
  await client.query(`revoke execute on function ${signatureRows[0]?.signatures} from public`)
}
