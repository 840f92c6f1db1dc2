import { type Story, makeBlock, buildSettings } from './stories.ts'
import { ORIGIN, type World } from './world.ts'

const ROWS = 1000
/** Stored out of line, so that updates of other columns leave it out of the log. */
const LARGE = `repeat(md5(random()::text), 90)`

/** Tables of the second server, followed by their log. */
export async function makeChangeStories(world: World, copies: number): Promise<Story[]> {
  const stories: Story[] = []
  for (let copy = 0; copy < copies; copy += 1) stories.push(await makeChangeStory(world, `changes_${copy}`))
  return stories
}

async function makeChangeStory(world: World, name: string): Promise<Story> {
  const { origin } = world
  await origin.ask(`create table ${name} (id bigint primary key, version bigint not null, large text);
    alter table ${name} alter large set storage external;
    create sequence ${name}_ids;
    insert into ${name} select nextval('${name}_ids'), 1, ${LARGE} from generate_series(1, ${ROWS})`)
  const write = {
    schema_name: 'data',
    table_name: `to_${name}`,
    strategy: 'Replace',
    dataModel: null,
    schema_policy: 'evolve',
    bad_rows: { choice: 'stop', most: 0 },
  }
  const query = { query: { kind: 'changes', table: { schema: 'public', table: name } } }
  const settings = buildSettings({
    integration_trellis_code: ORIGIN,
    subtasks: [{ name: 'rows', query, is_incremental: false, write }],
  })
  const { blockId, dataflowId } = await makeBlock(world, { name, settings })
  return {
    name,
    blockId,
    dataflowId,
    async change(dice) {
      const part = dice.between(3, 9)
      // Each a transaction of its own; sent twice it is another change, and the comparison is with what came of it.
      await origin.ask(`update ${name} set version = version + 1 where id % ${part} = 0`)
      await origin.ask(`insert into ${name} select nextval('${name}_ids'), 1, ${LARGE} from generate_series(1, 300)`)
      await origin.ask(`delete from ${name} where id in (select id from ${name} order by md5(id::text) limit 300)`)
      await origin.ask(
        `update ${name} set id = nextval('${name}_ids') where id in (select id from ${name} order by id limit 50)`,
      )
      if (dice.next() < 0.1) await origin.ask(`truncate ${name}`)
    },
    faults: async (runs) => {
      const rows = (table: string) => `select id, version, md5(large) as large from ${table} order by id`
      const [there, here] = await Promise.all([origin.ask(rows(name)), world.data(rows(`data.to_${name}`))])
      const known = new Set(here.map((row) => JSON.stringify(row)))
      const lost = there.filter((row) => !known.has(JSON.stringify(row))).length
      const isSame = lost === 0 && there.length === here.length
      return isSame
        ? []
        : [`${name} after ${runs} runs: ${lost} rows lost, ${here.length} here, ${there.length} at the source`]
    },
  }
}
