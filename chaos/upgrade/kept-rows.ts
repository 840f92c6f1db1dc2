import type { Databases } from '../patient-pools.ts'
import type { Kept } from '../promises.ts'

const CONTROL_TABLES = ['accounts', 'account_members', 'task_block_versions'] as const
const ROWS = 10_000

export interface KeptRows {
  /** Compares with what the previous version had stored. */
  compare(): Promise<Kept>
}

/** Rows that nothing changes during the upgrade, by the columns that the previous version knows. */
export async function keepRows(world: Databases): Promise<KeptRows> {
  await world.data(
    `create table if not exists data.kept as
       select i as id, md5(i::text) as text, i / 7.0 as amount, now() + i * interval '1 second' as at from generate_series(1, ${ROWS}) i`,
  )
  const columns = new Map<string, string>()
  for (const table of CONTROL_TABLES) {
    const found = await world.control<{ name: string }>(
      'select column_name as name from information_schema.columns where table_schema = current_schema and table_name = $1 order by 1',
      [table],
    )
    columns.set(table, found.map(({ name }) => `"${name}"`).join(', '))
  }
  const hash = async () => {
    const hashes = new Map<string, string>()
    for (const [table, names] of columns) {
      const [row] = await world.control<{ hash: string }>(
        `select count(*) || ':' || md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as hash from (select ${names} from ${table}) r`,
      )
      hashes.set(table, row?.hash ?? '')
    }
    const [row] = await world.data<{ hash: string }>(
      `select count(*) || ':' || md5(string_agg(r::text, '|' order by id)) as hash from data.kept r`,
    )
    return hashes.set('data.kept', row?.hash ?? '')
  }
  const before = await hash()
  return {
    compare: async () => {
      const after = await hash()
      const changed = [...before].filter(([table, value]) => after.get(table) !== value)
      return {
        says: `${before.size} tables of the previous version with the same rows (${[...before].map(([table, value]) => `${table} ${value.split(':')[0]}`).join(', ')})`,
        faults: changed.map(([table]) => `The rows of ${table} are not those of the previous version.`),
      }
    },
  }
}
