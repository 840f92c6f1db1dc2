import type { Outages } from './outages.ts'
import type { Scheduled } from './stories.ts'
import type { Workers } from './workers.ts'
import type { Databases } from './patient-pools.ts'

/** One guarantee: a sentence with counts, and its violations. */
export interface Kept {
  readonly says: string
  readonly faults: readonly string[]
}

export async function stopClocks(world: Databases, scheduled: readonly Scheduled[], mostMs: number): Promise<Date> {
  const until = new Date()
  const ids = scheduled.map(({ blockId }) => blockId)
  for (const end = Date.now() + mostMs; Date.now() < end;) {
    const [open] = await world.control<{ count: string }>(
      'select count(*) from schedule_ticks where block_id = any($1) and nominal_at <= $2 and outcome is null',
      [ids, until],
    )
    if (open?.count === '0') break
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  // Pausing their dataflow ends continuous runs, after their rows were checked.
  await world.control(
    'update dataflows set is_paused = true where id in (select dataflow_id from task_blocks where id = any($1))',
    [ids],
  )
  return until
}

export async function dueTimes(world: Databases, scheduled: readonly Scheduled[], until: Date): Promise<Kept> {
  const faults: string[] = []
  let times = 0
  for (const { blockId, table, since } of scheduled) {
    const rows = await world.control<{ at: Date; outcome: string | null; runs: number }>(
      `select due.at, t.outcome,
              (select count(*)::int from task_runs r where r.block_id = $1 and r.nominal_at = due.at) as runs
         from generate_series(date_trunc('minute', $2::timestamptz) + interval '1 minute', $3, interval '1 minute') as due(at)
         left join schedule_ticks t on t.block_id = $1 and t.nominal_at = due.at`,
      [blockId, since, until],
    )
    times += rows.length
    for (const { at, outcome, runs } of rows) {
      if (outcome !== 'fired' || runs !== 1)
        faults.push(`${table} at ${at.toISOString()}: ${outcome ?? 'not planned'}, ${runs} runs`)
    }
    faults.push(...(await writtenOnce(world, { blockId, table })))
  }
  if (times === 0 && scheduled.length > 0) faults.push('Nothing became due at all.')
  return { says: `${times} due times, each fired once`, faults }
}

/** Runs due together share a flow run. */
export async function flowRunsHold(world: Databases): Promise<Kept> {
  const [count] = await world.control<{ flow_runs: number; runs: number }>(
    `select count(distinct flow_run_id)::int as flow_runs, count(*)::int as runs
       from task_runs where started_by in ('schedule', 'activity')`,
  )
  const wrong = await world.control<{ code: string; why: string }>(
    `select r.trellis_code as code, 'without a flow run of its dataflow' as why
       from task_runs r left join flow_runs f on f.id = r.flow_run_id and f.dataflow_id = r.dataflow_id
      where r.started_by in ('schedule', 'activity') and f.id is null
     union all
     select min(trellis_code), 'due at the same time as others, in another flow run' from task_runs
      where started_by = 'schedule' group by dataflow_id, nominal_at having count(distinct flow_run_id) > 1`,
  )
  return {
    says: `${count?.runs} triggered runs in ${count?.flow_runs} flow runs`,
    faults: wrong.map(({ code, why }) => `Run ${code}: ${why}`),
  }
}

/** Each run inserts one row. */
export async function writtenOnce(
  world: Databases,
  { blockId, table }: Pick<Scheduled, 'blockId' | 'table'>,
): Promise<string[]> {
  const [runs] = await world.control<{ all: number; succeeded: number }>(
    `select count(*)::int as all, count(*) filter (where status = 'SUCCESS')::int as succeeded
       from task_runs where block_id = $1`,
    [blockId],
  )
  const [exists] = await world.data<{ there: boolean }>(`select to_regclass('${table}') is not null as there`)
  const [found] = exists?.there ? await world.data<{ rows: number }>(`select count(*)::int as rows from ${table}`) : []
  const rows = found?.rows ?? 0
  const isRight = runs !== undefined && rows >= runs.succeeded && rows <= runs.all
  return isRight ? [] : [`${table}: ${runs?.succeeded} of ${runs?.all} runs succeeded and wrote ${rows} rows`]
}

export async function stayingRuns(world: Databases, staying: readonly { readonly blockId: number }[]): Promise<Kept> {
  const [found] = await world.control<{ attempts: number; lost: number }>(
    `select count(*)::int as attempts, count(*) filter (where a.problem = 'lost')::int as lost
       from task_run_attempts a join task_runs r on r.id = a.run_id where r.block_id = any ($1::bigint[])`,
    [staying.map(({ blockId }) => blockId)],
  )
  return {
    says: `${found?.attempts} attempts of ${staying.length} blocks whose runs stay, ${found?.lost} of them lost with their worker`,
    faults: [],
  }
}

export async function allEnded(world: Databases): Promise<Kept> {
  const rows = await world.control<{ trellis_code: string; status: string; is_open: boolean }>(
    `select trellis_code, status, status not in ('SUCCESS', 'FAILED', 'EXCEPTION') as is_open from task_runs`,
  )
  const open = rows.filter(({ is_open }) => is_open)
  return {
    says: `${rows.length} runs, ${rows.length - open.length} of them ended`,
    faults: open.map(({ trellis_code, status }) => `The run ${trellis_code} is still ${status}.`),
  }
}

/** A run may need several attempts or a retry, but in the end its cause must have succeeded. */
export async function allSucceeded(world: Databases): Promise<Kept> {
  const [count] = await world.control<{ all: number; attempts: number }>(
    'select count(distinct r.id)::int as all, count(a.number)::int as attempts from task_runs r left join task_run_attempts a on a.run_id = r.id',
  )
  const failed = await world.control<{ code: string; status: string; problem: string }>(
    `select r.trellis_code as code, r.status, r.problem ->> 'message' as problem from task_runs r
      where r.status in ('FAILED', 'EXCEPTION')
        and not exists (select from task_runs later where later.root_code = coalesce(r.root_code, r.trellis_code) and later.status = 'SUCCESS')`,
  )
  return {
    says: `${count?.all} runs in ${count?.attempts} attempts, ${failed.length} without success in the end`,
    faults: failed.map(({ code, status, problem }) => `The run ${code} is ${status}: ${problem}`),
  }
}

export async function untilNoneOpen(world: Databases, timeoutMs: number): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 300))) {
    if ((await allEnded(world)).faults.length === 0) return
  }
}

/** By the receipts of completed loads. */
export async function receiptsAgree(world: Databases): Promise<Kept> {
  const rows = await world.data<{
    load: string
    table: string
    is_counted: boolean
    is_compared: boolean
    is_same: boolean
  }>(
    `select load_id as load, table_name as table, rows_read = rows + quarantined + rows_merged as is_counted,
            source_hash is not null as is_compared, source_hash is not distinct from target_hash as is_same
       from trellis_loads.receipts where is_done and writer is not null`,
  )
  const other = rows.filter(({ is_counted, is_same }) => !is_counted || !is_same)
  const compared = rows.filter(({ is_compared }) => is_compared).length
  return {
    says: `${rows.length} receipts with the same rows at both ends, ${compared} of them with their keys`,
    faults: other.map(({ load, table }) => `The receipt of the load ${load} into ${table} does not agree.`),
  }
}

const TAKEN_UP_SECONDS = 30
/** Backoff after a lost worker. */
const NEXT_ATTEMPT_SECONDS = 5

interface Lost {
  run: string
  worker: string
  number: number
  at: Date
}

/** From a worker's death until its runs wait for their next attempt. The pid is part of the worker's name. */
export async function takenUp(world: Databases, workers: Workers, outages: Outages): Promise<Kept> {
  const losts = await world.control<Lost>(
    `select r.trellis_code as run, a.worker, a.number, a.finished_at as at
       from task_run_attempts a join task_runs r on r.id = a.run_id where a.problem = 'lost'`,
  )
  const parsePid = (worker: string) => Number(worker.split('-').at(-2))
  const waits = losts.flatMap(({ worker, at, ...attempt }) => {
    const death = workers.deaths.get(parsePid(worker))
    if (death === undefined || at.getTime() < death) return []
    const idle = outages.between(death, at.getTime())
    return [{ ...attempt, worker, idle: idle / 1000, seconds: (at.getTime() - death - idle) / 1000 }]
  })
  const slowest = waits.toSorted((a, b) => b.seconds - a.seconds)[0]
  const races = losts.filter(({ worker }) => workers.frozen.has(parsePid(worker))).length
  const late = waits.filter(({ seconds }) => seconds > TAKEN_UP_SECONDS - NEXT_ATTEMPT_SECONDS)
  const told = late.map(
    ({ run, worker, number, seconds, idle }) =>
      `Attempt ${number} of ${run} by ${worker} was taken up after ${seconds.toFixed(1)} s (and ${idle.toFixed(1)} s without Postgres or workers).`,
  )
  const slowestSays = slowest ? `, the slowest after ${slowest.seconds.toFixed(1)} s` : ''
  return {
    says: `${waits.length} attempts lost with killed workers and taken up${slowestSays}; ${races} raced with a worker that woke up again`,
    faults: [...told, ...(workers.frozen.size > 0 && races === 0 ? ['No run was raced for by two workers.'] : [])],
  }
}
