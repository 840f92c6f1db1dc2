import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { makePlace } from './place.ts'
import { recordStatements, writeRecording } from './recording.ts'
import { TOOLS, type Outcome, type Programs, runCommand, type ToolPlace } from './programs.ts'

const DEFAULTS: Programs = {
  psql: 'psql',
  pg_dump: 'pg_dump',
  pg_restore: 'pg_restore',
  python: '/usr/bin/python3',
  java: 'java',
  jdbc: '/usr/share/java/postgresql.jar',
}

/** Real tools with a login made over the API: they connect, look around, dump and restore. What is not installed is named. */
export async function run(args: string[]): Promise<void> {
  const option = (name: string) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
  const programs = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, usual]) => [name, option(name) ?? usual]),
  ) as unknown as Programs
  const only = option('only')?.split(',')
  const command = option('command')
  const tools =
    command === undefined
      ? TOOLS.filter(({ name }) => only?.includes(name) ?? true)
      : [{ name: option('name') ?? 'command', run: (place: ToolPlace) => runCommand(place, command) }]
  const home = await mkdtemp(join(tmpdir(), 'trellis-tools-'))
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  process.env['TRELLIS_TEST_CLUSTER_URL'] = postgres.url
  const place = await makePlace(postgres)
  const outcomes: Outcome[] = []
  try {
    for (const tool of tools) {
      const recording = await recordStatements({ host: place.connection.host, port: place.connection.port })
      const at = { ...place, folder: home, programs, connection: { ...place.connection, port: recording.port } }
      outcomes.push(await tool.run(at).catch((error: unknown) => ({ isRight: false, found: [String(error)] })))
      await recording.close()
      const folder = option('record')
      if (folder !== undefined) await writeRecording(place, { path: join(folder, `${tool.name}.json`), recording })
      const { isRight, found } = outcomes.at(-1) as Outcome
      console.log(`${isRight ? '✓' : '✗'} ${tool.name}\n${found.map((line) => `    ${line}`).join('\n')}`)
    }
  } finally {
    await place.close()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
  if (outcomes.some(({ isRight }) => !isRight)) process.exitCode = 1
}
