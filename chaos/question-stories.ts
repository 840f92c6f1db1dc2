import { type Story, buildSettings, makeBlock } from './stories.ts'
import type { Databases } from './patient-pools.ts'

const ROWS = 500

/** Blocks whose source gets new columns, about which each run asks before it goes on. */
export async function makeQuestionStories(world: Databases, copies: number): Promise<Story[]> {
  const stories: Story[] = []
  for (let copy = 0; copy < copies; copy += 1) {
    stories.push(await makeQuestionStory(world, { name: `question_${copy}`, declinesEvery: copy % 2 === 1 ? 2 : 0 }))
  }
  return stories
}

async function makeQuestionStory(
  world: Databases,
  { name, declinesEvery }: { name: string; declinesEvery: number },
): Promise<Story> {
  const [source, table] = [`data.from_${name}`, `data.to_${name}`]
  await world.data(`create table ${source} (id bigint primary key, version bigint not null)`)
  await world.data(`insert into ${source} select i, 1 from generate_series(1, ${ROWS}) i`)
  const write = {
    schema_name: 'data',
    table_name: `to_${name}`,
    strategy: 'Upsert',
    dataModel: null,
    schema_policy: 'ask',
    bad_rows: { choice: 'stop', most: 0 },
  }
  const query = { query: { kind: 'table', table: { schema: 'data', table: `from_${name}` } } }
  const settings = buildSettings({ subtasks: [{ name: 'rows', query, is_incremental: false, write }] })
  const { blockId, dataflowId } = await makeBlock(world, { name, settings })
  const columns = { asked: 0, accepted: ['id', 'version'], declined: new Set<string>() }
  let changes = 0
  return {
    name,
    blockId,
    dataflowId,
    async change(dice) {
      changes += 1
      const part = dice.between(2, 6)
      await world.data(`update ${source} set version = version + 1 where id % ${part} = 0`)
      if (changes === 1 || dice.next() < 0.3) return
      const column = `c${changes}`
      await world.data(`alter table ${source} add column if not exists ${column} bigint`)
      await world.data(`update ${source} set ${column} = id * ${changes}`)
      columns.asked += 1
      const isDeclined = declinesEvery > 0 && columns.asked % declinesEvery === 0
      if (isDeclined) columns.declined.add(column)
      else columns.accepted.push(column)
    },
    accepts: (asked) => !asked.some((change) => columns.declined.has(change.split(':')[1] ?? '')),
    faults: async (runs) => {
      const list = columns.accepted.join(', ')
      const read = (from: string) =>
        world.data<{ rows: string; hash: string }>(
          `select count(*) as rows, md5(string_agg(t::text, ',' order by id)) as hash from (select ${list} from ${from}) t`,
        )
      const [[there], [here]] = await Promise.all([read(source), read(table)])
      const kept = await world.data<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped`,
      )
      const wrong = kept.filter((column) => columns.declined.has(column.name))
      return [
        ...(there?.hash === here?.hash
          ? []
          : [`${name} after ${runs} runs: ${here?.rows} rows, ${there?.rows} at the source, not alike`]),
        ...wrong.map((column) => `${name} after ${runs} runs: it has ${column.name}, which was declined`),
      ]
    },
  }
}
