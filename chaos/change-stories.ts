import { type Story, makeBlock, buildSettings } from './stories.ts'
import { ORIGIN, type World } from './world.ts'

const ROWS = 1000
/** TOASTed, so that updates of other columns omit it from the log. */
const LARGE = `repeat(md5(random()::text), 90)`

interface Following {
  readonly name: string
  /** Soft deletes. */
  readonly marksDeletes: boolean
  /** A continuous run. */
  readonly isStaying: boolean
}

export async function makeChangeStories(world: World, copies: number): Promise<Story[]> {
  const stories: Story[] = []
  for (let copy = 0; copy < copies; copy += 1) {
    const following = { name: `changes_${copy}`, marksDeletes: copy % 2 === 1, isStaying: false }
    stories.push(await makeChangeStory(world, following))
  }
  return stories
}

/** A continuous run holds a worker's slot. */
const MAX_STAYING = 2

export async function makeStayingStories(world: World, copies: number): Promise<Story[]> {
  const stories: Story[] = []
  for (let copy = 0; copy < Math.min(copies, MAX_STAYING); copy += 1) {
    const following = { name: `staying_${copy}`, marksDeletes: copy % 2 === 1, isStaying: true }
    stories.push(await makeChangeStory(world, following))
  }
  return stories
}

async function makeChangeStory(world: World, { name, marksDeletes, isStaying }: Following): Promise<Story> {
  const { origin } = world
  let changes = 0
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
  const query = {
    query: {
      kind: 'changes',
      table: { schema: 'public', table: name },
      is_continuous: isStaying,
      deletes: marksDeletes ? 'mark' : 'delete',
    },
  }
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
      changes += 1
      // After the first load: rows deleted before were never here.
      if (marksDeletes && changes === 2) await origin.ask(recordDeletes(name))
      const part = dice.between(3, 9)
      // Each in its own transaction. A repeated statement is another change, and the comparison uses the result.
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
      const live = `data.to_${name}${marksDeletes ? ' where source_deleted_at is null' : ''}`
      const [there, here] = await Promise.all([origin.ask(rows(name)), world.data(rows(live))])
      const known = new Set(here.map((row) => JSON.stringify(row)))
      const lost = there.filter((row) => !known.has(JSON.stringify(row))).length
      const isSame = lost === 0 && there.length === here.length
      if (isSame && marksDeletes && changes > 1) return await findWrongMarks(world, name)
      return isSame
        ? []
        : [`${name} after ${runs} runs: ${lost} rows lost, ${here.length} here, ${there.length} at the source`]
    },
  }
}

const recordDeletes = (name: string): string => `
  create table if not exists ${name}_gone (id bigint primary key);
  create or replace function ${name}_note() returns trigger language plpgsql as $$ begin
    if tg_op = 'TRUNCATE' then insert into ${name}_gone select id from ${name} on conflict do nothing; return null; end if;
    if tg_op = 'DELETE' or new.id <> old.id then insert into ${name}_gone values (old.id) on conflict do nothing; end if;
    return null;
  end $$;
  create or replace trigger note_rows after update or delete on ${name} for each row execute function ${name}_note();
  create or replace trigger note_all before truncate on ${name} for each statement execute function ${name}_note()`

async function findWrongMarks({ origin, data }: World, name: string): Promise<string[]> {
  const deleted = await origin.ask<{ id: string }>(
    `select id from ${name}_gone g where not exists (select from ${name} t where t.id = g.id)`,
  )
  const marked = await data<{ id: string }>(`select id from data.to_${name} where source_deleted_at is not null`)
  const [gone, here] = [new Set(deleted.map(({ id }) => id)), new Set(marked.map(({ id }) => id))]
  const lost = deleted.filter(({ id }) => !here.has(id)).length
  const wrong = marked.filter(({ id }) => !gone.has(id)).length
  return lost + wrong === 0
    ? []
    : [`${name}: ${lost} deleted rows are not marked, ${wrong} are marked and were not deleted`]
}
