import { type Kept, writtenOnce } from './promises.ts'
import { EVERY_MINUTE, type Scheduled, makeTickBlock } from './stories.ts'
import type { Databases } from './patient-pools.ts'

/** A block that is due every minute, two that wait for it, and one that waits for both. */
export interface Flow {
  readonly name: string
  readonly root: Scheduled
  readonly branches: readonly Block[]
  readonly join: Block
}

type Block = Pick<Scheduled, 'blockId' | 'table'>

export async function makeFlows(world: Databases, count: number): Promise<Flow[]> {
  const flows: Flow[] = []
  for (let at = 0; at < count; at += 1) flows.push(await makeFlow(world, `flow_${at}`))
  return flows
}

async function makeFlow(world: Databases, name: string): Promise<Flow> {
  const root = await makeTickBlock(world, { name: `${name}_root`, trigger: EVERY_MINUTE })
  const { dataflowId } = root
  const after = async (own: string, upstream: Record<string, Block>): Promise<Block> => {
    const block = await makeTickBlock(world, {
      name: `${name}_${own}`,
      trigger: waitForAll(Object.keys(upstream).map((item) => `block-${name}_${item}`)),
      dataflowId,
    })
    await world.control(
      'insert into live_waits (account_id, block_id, upstream_id) select $1, $2, unnest($3::bigint[])',
      [world.accountId, block.blockId, Object.values(upstream).map(({ blockId }) => blockId)],
    )
    return block
  }
  const left = await after('left', { root })
  const right = await after('right', { root })
  const join = await after('join', { left, right })
  return { name, root: { ...root, since: new Date() }, branches: [left, right], join }
}

const waitForAll = (codes: readonly string[]) => ({
  eventEvaluationType: 'And',
  isFormaComplete: true,
  actions: Object.fromEntries(
    codes.map((code, order) => [code, { action: 'Activity', order, actionValue: { taskBlockTrellisCode: code } }]),
  ),
})

/** Each success starts each block that waits for it once, in its flow run, and what waits for all once per complete set. */
export async function branchesHold(world: Databases, flows: readonly Flow[]): Promise<Kept> {
  const faults: string[] = []
  let joins = 0
  for (const { name, root, branches, join } of flows) {
    for (const block of branches) {
      faults.push(...(await findUnevenFlowRuns(world, root, block)))
    }
    const ends = await Promise.all(branches.map((block) => countSuccesses(world, block)))
    const started = await countStarted(world, join)
    joins += started
    if (started !== Math.min(...ends)) {
      faults.push(
        `${name}: its branches succeeded ${ends.join(' and ')} times, what waits for both started ${started} times`,
      )
    }
    for (const block of [...branches, join]) faults.push(...(await writtenOnce(world, block)))
  }
  if (joins === 0 && flows.length > 0) faults.push('No flow got to the block that waits for both branches.')
  return { says: `${joins} runs waited for both branches of ${flows.length} flows`, faults }
}

async function findUnevenFlowRuns(world: Databases, root: Block, block: Block): Promise<string[]> {
  const rows = await world.control<{ code: string; succeeded: number; started: number }>(
    `select f.trellis_code as code,
            count(*) filter (where r.block_id = $1 and r.status = 'SUCCESS')::int as succeeded,
            count(distinct coalesce(r.root_code, r.trellis_code)) filter (where r.block_id = $2)::int as started
       from flow_runs f join task_runs r on r.flow_run_id = f.id
      where r.block_id in ($1, $2) group by f.id`,
    [root.blockId, block.blockId],
  )
  return rows.flatMap(({ code, succeeded, started }) =>
    succeeded === started ? [] : [`Flow run ${code}: ${succeeded} successes started ${block.table} ${started} times`],
  )
}

async function countSuccesses(world: Databases, { blockId }: Block): Promise<number> {
  const [found] = await world.control<{ count: number }>(
    `select count(*)::int as count from task_runs where block_id = $1 and status = 'SUCCESS'`,
    [blockId],
  )
  return found?.count ?? 0
}

async function countStarted(world: Databases, { blockId }: Block): Promise<number> {
  const [found] = await world.control<{ count: number }>(
    'select count(distinct coalesce(root_code, trellis_code))::int as count from task_runs where block_id = $1',
    [blockId],
  )
  return found?.count ?? 0
}
