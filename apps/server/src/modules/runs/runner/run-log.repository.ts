import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import { WITHOUT_SYNC_COMMIT } from './finish.repository.ts'
import type { LogLevel } from './run-work.ts'

export interface LogLine {
  run_id: number
  account_id: number
  epoch: number
  number: number
  at: Date
  level: LogLevel
  attempt: number
  subtask: string | null
  message: string
}

/** A run that was taken over by another worker (higher epoch) gets no more lines. */
export async function insertLogLines({ db }: { readonly db: Db }, lines: readonly LogLine[]): Promise<void> {
  await sql`
    with lines as (
      insert into task_run_logs (run_id, account_id, number, at, level, attempt, subtask, message)
      select l.run_id, l.account_id, l.number, l.at, l.level, l.attempt, l.subtask, l.message
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l(run_id bigint, account_id bigint, epoch bigint,
             number bigint, at timestamptz, level text, attempt int, subtask text, message text)
        join task_runs r on r.id = l.run_id and r.epoch = l.epoch
      on conflict do nothing
      returning run_id)
    select pg_notify('trellis_runs', 'log:' || run_id), (${WITHOUT_SYNC_COMMIT}) from lines group by run_id`.execute(db)
}
