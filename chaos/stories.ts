import type { Dice } from './dice.ts'
import type { Databases } from './patient-pools.ts'
import { OWN_DATABASE } from './world.ts'

/** A block that runs repeatedly under faults, with invariants of its table. */
export interface Story {
  readonly name: string
  readonly blockId: number
  readonly dataflowId: number
  /** Changes the source between runs. */
  change(dice: Dice): Promise<void>
  /** Violations after a successful run. */
  faults(runs: number): Promise<string[]>
  /** Violations at any time. */
  torn?(): Promise<string[]>
  /** Whether the changed columns a run asks about are accepted. */
  accepts?(changes: readonly string[]): boolean
}

export interface Scheduled {
  readonly blockId: number
  readonly table: string
  readonly since: Date
}

const ROWS = 2000
const FILLER = 'x'.repeat(400)

interface Kind {
  readonly strategy: 'Append' | 'Replace' | 'Upsert'
  readonly isIncremental?: boolean
}
const KINDS: Record<string, Kind> = {
  append: { strategy: 'Append' },
  follow: { strategy: 'Upsert', isIncremental: true },
  replace: { strategy: 'Replace' },
  upsert: { strategy: 'Upsert' },
}

export async function makeStories(world: Databases, copies: number): Promise<Story[]> {
  const stories: Story[] = []
  for (let copy = 0; copy < copies; copy += 1) {
    for (const kind of Object.keys(KINDS)) stories.push(await makeStory(world, `${kind}_${copy}`, kind))
  }
  return stories
}

async function makeStory(world: Databases, name: string, kind: string): Promise<Story> {
  const { strategy, isIncremental = false } = KINDS[kind] as Kind
  const [source, table] = [`data.from_${name}`, `data.to_${name}`]
  await world.data(`create table ${source} (id bigint primary key, version bigint not null, filler text)`)
  await world.data(`insert into ${source} select i, i, '${FILLER}' from generate_series(1, ${ROWS}) i`)
  await world.data(`analyze ${source}`)
  const query = {
    query: {
      kind: 'table',
      table: { schema: 'data', table: `from_${name}` },
      ...(isIncremental && { cursor: 'version' }),
    },
  }
  const settings = buildSettings({
    subtasks: [
      {
        name: 'rows',
        query,
        is_incremental: isIncremental,
        write: {
          schema_name: 'data',
          table_name: `to_${name}`,
          strategy,
          dataModel: null,
          schema_policy: 'evolve',
          bad_rows: { choice: 'stop', most: 0 },
        },
      },
    ],
  })
  const { blockId, dataflowId } = await makeBlock(world, { name, settings })
  let generation = 0
  return {
    name,
    blockId,
    dataflowId,
    async change(dice) {
      generation += 1
      if (kind === 'replace') await world.data(`update ${source} set version = ${generation}`)
      if (kind === 'follow') {
        const from = `(select max(id) from ${source})`
        await world.data(
          `insert into ${source} select m + i, m + i, '${FILLER}' from (select ${from} as m) s, generate_series(1, ${ROWS / 2}) i`,
        )
      }
      if (kind === 'upsert') {
        const part = dice.between(2, 6)
        await world.data(`update ${source} set version = version + 1000000 where id % ${part} = 0`)
        await world.data(
          `insert into ${source} select m + i, i, '${FILLER}' from (select max(id) as m from ${source}) s, generate_series(1, 500) i`,
        )
      }
    },
    faults: async (runs) => {
      const times = kind === 'append' ? runs : 1
      const [found] = await world.data<{ lost: string; doubled: string; foreign: string }>(
        `with have as (select id, version, count(*) as n from ${table} group by 1, 2)
         select count(*) filter (where h.id is null or h.n < ${times}) as lost,
                count(*) filter (where h.n > ${times}) as doubled, count(*) filter (where s.id is null) as foreign
           from ${source} s full join have h on h.id = s.id and h.version = s.version`,
      )
      return Object.entries(found ?? {}).flatMap(([what, count]) =>
        Number(count) > 0 ? [`${name} after ${runs} runs: ${count} rows ${what}`] : [],
      )
    },
    ...(kind === 'replace' && {
      torn: async () => {
        const [exists] = await world.data<{ there: boolean }>(`select to_regclass('${table}') is not null as there`)
        if (!exists?.there) return []
        const [seen] = await world.data<{ rows: string; versions: string }>(
          `select count(*) as rows, count(distinct version) as versions from ${table}`,
        )
        const isWhole = Number(seen?.rows) === ROWS && Number(seen?.versions) === 1
        return isWhole ? [] : [`${name} was torn: ${JSON.stringify(seen)}`]
      },
    }),
  }
}

export const buildSettings = (
  own: object,
  trigger: object = { eventEvaluationType: 'NO_TRIGGER', actions: {}, isFormaComplete: true },
) => ({
  trigger,
  attempts: 10,
  most_minutes: 60,
  integration_trellis_code: OWN_DATABASE,
  ...own,
})

interface BlockInput {
  readonly name: string
  readonly settings: object
  readonly flow?: { overlap?: string; misfire?: string }
  /** Otherwise a dataflow of its own. */
  readonly dataflowId?: number | undefined
}

export async function makeBlock(
  world: Databases,
  { name, settings, flow, dataflowId: known }: BlockInput,
): Promise<{ blockId: number; dataflowId: number }> {
  const own = [world.accountId, world.workspaceId]
  const dataflowId = known ?? (await makeDataflow(world, name, flow))
  const [block] = await world.control<{ id: number }>(
    `insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings, live_version)
     values ($1, $2, $3, $4, 'Source', $5, $6, 1) returning id`,
    [...own, dataflowId, `block-${name}`, name, JSON.stringify(settings)],
  )
  await world.control(
    `insert into task_block_versions (block_id, account_id, version, settings) values ($1, $2, 1, $3)`,
    [block?.id, world.accountId, JSON.stringify(settings)],
  )
  return { blockId: Number(block?.id), dataflowId }
}

async function makeDataflow(world: Databases, name: string, flow: BlockInput['flow'] = {}): Promise<number> {
  const [dataflow] = await world.control<{ id: number }>(
    `insert into dataflows (account_id, workspace_id, trellis_code, name, overlap, misfire) values ($1, $2, $3, $4, $5, $6) returning id`,
    [world.accountId, world.workspaceId, `flow-${name}`, name, flow.overlap ?? 'queue', flow.misfire ?? 'latest'],
  )
  return Number(dataflow?.id)
}

export const EVERY_MINUTE = {
  eventEvaluationType: 'Or',
  isFormaComplete: true,
  actions: {
    clock: {
      action: 'Schedule',
      order: 0,
      actionValue: {
        scheduleType: 'Cron Schedule',
        scheduleArgs: { cronExpression: '* * * * ? *', timeStandard: 'UTC' },
      },
    },
  },
}

export async function makeScheduled(world: Databases, count: number): Promise<Scheduled[]> {
  const made: Scheduled[] = []
  for (let at = 0; at < count; at += 1) {
    const { blockId, table } = await makeTickBlock(world, { name: `due_${at}`, trigger: EVERY_MINUTE })
    made.push({ blockId, table, since: new Date() })
  }
  return made
}

interface TickBlockInput {
  readonly name: string
  readonly trigger?: object
  readonly dataflowId?: number
  readonly integrationCode?: string
}

export async function makeTickBlock(
  world: Databases,
  { name, trigger, dataflowId, integrationCode = OWN_DATABASE }: TickBlockInput,
): Promise<{ blockId: number; dataflowId: number; table: string }> {
  await world.data('create table if not exists data.tick as select 1::bigint as id')
  const write = {
    schema_name: 'data',
    table_name: `to_${name}`,
    strategy: 'Append',
    dataModel: null,
    schema_policy: 'evolve',
    bad_rows: { choice: 'stop', most: 0 },
  }
  const query = { query: { kind: 'table', table: { schema: 'data', table: 'tick' } } }
  const subtasks = [{ name: 'rows', query, is_incremental: false, write }]
  const settings = buildSettings({ subtasks, integration_trellis_code: integrationCode }, trigger)
  const made = await makeBlock(world, { name, settings, dataflowId, flow: { overlap: 'parallel', misfire: 'all' } })
  return { ...made, table: `data.to_${name}` }
}
