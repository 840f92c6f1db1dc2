import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Connection } from '@trellis/contract/database-admin/database-admin.schemas'
import pg from 'pg'
import { connectionStrings } from '../../apps/web/src/features/database-admin/connection/connection-strings.ts'
import type { Place } from './place.ts'
import { JAVA_SOURCE, PYTHON_SOURCE } from './sources.ts'

export type ProgramName = 'psql' | 'pg_dump' | 'pg_restore' | 'python' | 'java' | 'jdbc'
export type Programs = Readonly<Record<ProgramName, string>>
export interface Outcome {
  readonly isRight: boolean
  readonly found: readonly string[]
}
export type ToolWorkspace = Omit<Place, 'connection'> & { connection: Connection; programs: Programs; folder: string }

const execute = promisify(execFile)

export async function runCommand(place: ToolWorkspace, command: string): Promise<Outcome> {
  const env = { ...process.env, DATABASE_URL: textFor(place, 'uri') }
  const { stdout, stderr } = await execute('bash', ['-ec', command], { env, maxBuffer: 50_000_000 })
  return { isRight: true, found: (stdout + stderr).split('\n').slice(-40) }
}

function textFor({ connection, secret }: ToolWorkspace, key: string): string {
  const login = { user: secret.user_name, password: secret.password, schemas: ['data'] }
  return connectionStrings(connection, login).find((connectionString) => connectionString.key === key)?.text ?? ''
}

async function paste(place: ToolWorkspace, text: string): Promise<string> {
  const { psql, pg_dump, pg_restore } = place.programs
  const script = Object.entries({ psql, pg_dump, pg_restore }).map(([name, path]) => `${name}() { "${path}" "$@"; }`)
  const { stdout, stderr } = await execute('bash', ['-ec', `${script.join('\n')}\n${text}`], {
    cwd: place.folder,
    env: { ...process.env, PGPASSWORD: place.secret.password },
    maxBuffer: 50_000_000,
  })
  return stdout + stderr
}

const judge = (
  text: string,
  { has, hasNot = [] }: { has: readonly string[]; hasNot?: readonly string[] },
): Outcome => ({
  isRight: has.every((word) => text.includes(word)) && !hasNot.some((word) => text.includes(word)),
  found: text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 12),
})

async function runPsql(place: ToolWorkspace): Promise<Outcome> {
  const commands = ['\\conninfo', '\\dn', '\\dt', '\\d orders', '\\du', '\\dv+', 'select sum(amount) from orders']
  const flags = commands.map((command) => `-c '${command}'`).join(' ')
  const text = await paste(place, `psql --version\n${textFor(place, 'psql').replace('psql ', `psql ${flags} `)}`)
  const refused = await paste(place, textFor(place, 'psql').replace('psql ', 'psql -c "table closed.secret" ')).catch(
    String,
  )
  return judge(text + refused, {
    has: [
      'orders_by_customer',
      'big_orders',
      '125250.00',
      'permission denied for schema closed',
      place.secret.user_name,
    ],
    hasNot: ['nobody-may-read-this'],
  })
}

async function restored(place: ToolWorkspace, database: string): Promise<string> {
  const client = new pg.Client({ connectionString: place.adminUrl.replace(/\/[^/]*$/, `/${database}`) })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select (select sum(amount) from data.orders) as sum, (select count(*) from data.customers) as customers,
        (select count(*) from pg_constraint where conrelid = 'data.orders'::regclass and contype in ('p', 'f')) as keys,
        to_regclass('data.orders_by_customer')::text as index, to_regclass('data.big_orders')::text as view,
        obj_description('data.orders'::regclass) as comment`)
    return JSON.stringify(rows[0])
  } finally {
    await client.end()
  }
}

async function withEmptyDatabase<T>(place: ToolWorkspace, name: string, work: () => Promise<T>): Promise<T> {
  await place.cluster.admin.query(`create database ${name}`)
  return await work()
}

async function runDump(place: ToolWorkspace): Promise<Outcome> {
  const admin = new URL(place.adminUrl)
  const target = (name: string) => `${admin.protocol}//${admin.host}/${name}`
  const env = `export PGUSER='${admin.username}' PGPASSWORD='${decodeURIComponent(admin.password)}'`
  const [dump = '', restore = ''] = textFor(place, 'pg_dump').split(/\n(?=pg_restore)/)
  let text = await paste(place, `pg_dump --version\n${dump}`)
  await withEmptyDatabase(place, 'restored_one', () =>
    paste(place, `${env}\n${restore.replace('YOUR_DATABASE', target('restored_one'))}`),
  )
  const parallel = dump.replace('--format=custom --file=trellis.dump', '--format=directory --jobs=3 --file=trellis.dir')
  text += await paste(place, parallel)
  await withEmptyDatabase(place, 'restored_two', () =>
    paste(place, `${env}\npg_restore --no-owner --jobs=2 --dbname=${target('restored_two')} trellis.dir`),
  )
  const one = await restored(place, 'restored_one')
  const two = await restored(place, 'restored_two')
  const expected =
    '{"sum":"125250.00","customers":"2","keys":"2","index":"data.orders_by_customer","view":"data.big_orders","comment":"One row for each order"}'
  return { isRight: one === expected && two === expected, found: [text.trim(), `restored: ${one}`, `with -j: ${two}`] }
}

async function runPython(place: ToolWorkspace): Promise<Outcome> {
  const file = join(place.folder, 'reflect.py')
  await writeFile(file, `${textFor(place, 'sqlalchemy')}\n${PYTHON_SOURCE}`)
  const { stdout } = await execute(place.programs.python, [file])
  return judge(stdout, {
    has: ["'big_orders'", "'customers', 'orders'", "'customer_id'", 'orders_by_customer', '125250.00', 'refused'],
    hasNot: ['nobody-may-read-this'],
  })
}

async function runJdbc(place: ToolWorkspace): Promise<Outcome> {
  const file = join(place.folder, 'Metadata.java')
  await writeFile(file, JAVA_SOURCE)
  const { java, jdbc } = place.programs
  const { stdout } = await execute(java, ['-cp', jdbc, file, textFor(place, 'jdbc')])
  return judge(stdout, {
    has: [
      'table orders',
      'view big_orders',
      'column amount numeric',
      'primary key id',
      'foreign key customers',
      '125250.00',
    ],
    hasNot: ['nobody-may-read-this'],
  })
}

export const TOOLS: readonly {
  name: string
  needs: readonly ProgramName[]
  run: (place: ToolWorkspace) => Promise<Outcome>
}[] = [
  { name: 'psql', needs: ['psql'], run: runPsql },
  { name: 'pg_dump', needs: ['pg_dump', 'pg_restore'], run: runDump },
  { name: 'sqlalchemy', needs: ['python'], run: runPython },
  { name: 'jdbc', needs: ['java', 'jdbc'], run: runJdbc },
]
