import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { type Place, makePlace } from './place.ts'
import { recordStatements, writeRecording } from './recording.ts'
import { findPrograms, listMissing, toPrograms } from './find-programs.ts'
import { TOOLS, type Outcome, runCommand, type ToolWorkspace } from './programs.ts'

/** Real clients connect, browse, dump and restore. Missing programs are listed. */
export async function run(args: string[]): Promise<void> {
  const option = (name: string) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
  const only = option('only')?.split(',')
  const command = option('command')
  const tools =
    command === undefined
      ? TOOLS.filter(({ name }) => only?.includes(name) ?? true)
      : [{ name: option('name') ?? 'command', needs: [], run: (place: ToolWorkspace) => runCommand(place, command) }]
  const home = await mkdtemp(join(tmpdir(), 'trellis-tools-'))
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  process.env['TRELLIS_TEST_CLUSTER_URL'] = postgres.url
  const place = await makePlace(postgres)
  const serverMajor = await getServerMajor(place)
  const program = await findPrograms(option, serverMajor)
  const programs = toPrograms(program)
  const outcomes: Outcome[] = []
  try {
    for (const tool of tools) {
      const missing = listMissing(program, { needs: tool.needs, serverMajor })
      if (missing.length > 0) {
        console.log(`– ${tool.name}: not found here: ${missing.join(', ')}`)
        continue
      }
      const recording = await recordStatements({ host: place.connection.host, port: place.connection.port })
      const at = { ...place, folder: home, programs, connection: { ...place.connection, port: recording.port } }
      outcomes.push(await tool.run(at).catch((error: unknown) => ({ isRight: false, found: [String(error)] })))
      await recording.close()
      const folder = option('record')
      if (folder !== undefined) await writeRecording(place, { path: join(folder, `${tool.name}.json`), recording })
      const { isRight, found: lines } = outcomes.at(-1) as Outcome
      console.log(`${isRight ? '✓' : '✗'} ${tool.name}\n${lines.map((line) => `    ${line}`).join('\n')}`)
    }
  } finally {
    await place.close()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
  if (outcomes.some(({ isRight }) => !isRight)) process.exitCode = 1
}

async function getServerMajor({ cluster }: Place): Promise<number> {
  const { rows } = await cluster.admin.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  )
  return rows[0]?.major ?? 0
}
