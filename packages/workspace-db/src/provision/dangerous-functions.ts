import type pg from 'pg'

/**
 * Functions every login may call by default, by the harm they do in a shared cluster. Matched by name, so that new
 * variants in a later Postgres are caught too.
 */
const DANGEROUS = [
  // Large objects: a role that may only read can still write them.
  '^lo_',
  '^loread$',
  '^lowrite$',
  // Holding a connection or another session without using any resource that is counted.
  '^pg_sleep',
  '^pg_notify$',
  '^pg_(try_)?advisory_',
  '^pg_export_snapshot$',
  // Ending other sessions of the same login.
  '^pg_(cancel|terminate)_backend$',
  // Writing to the log of the whole cluster, even from a role that may only read.
  '^pg_logical_',
  '^pg_(create|copy|drop|sync)_.*slots?$',
  '^pg_replication_',
  '^binary_upgrade_',
  // Running a second, unseen statement inside the first one.
  '(query|cursor|table|schema|database)_to_xml',
  '^ts_(stat|rewrite)$',
  // What neighbours are doing.
  '^pg_stat_get_(activity|backend_|db_|progress_info|wal_|replication_slot|subscription|ssl)',
  '^pg_(lock_status|prepared_xact|blocking_pids|safe_snapshot_blocking_pids)$',
  '^pg_(show_replication_origin_status|get_replication_slots)$',
  // The server's own state.
  '^pg_control_',
  '^pg_(current|last)_wal_',
  '^pg_(available_wal_summaries|wal_summary_contents|get_wal_summarizer_state)$',
]

/** Takes them from PUBLIC in the database the client is connected to. Only a superuser owns them and may do this. */
export async function revokeDangerousFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'
        and p.proname ~ any($1::text[]) and has_function_privilege('public', p.oid, 'EXECUTE')`,
    [DANGEROUS],
  )
  if (rows.length === 0) return
  await client.query(`revoke execute on function ${rows.map((row) => row.signature).join(', ')} from public`)
}
