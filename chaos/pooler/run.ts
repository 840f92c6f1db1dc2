import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openControlDb } from '@trellis/control-db/database'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { readServers } from '../../apps/server/src/platform/start-checks/read-servers.ts'
import { createAccounts, useInterleaved } from './interleave.ts'
import { POOLER_ADVICE, findPooler, startPooler } from './start-pooler.ts'

/**
 * `npm run chaos -- pooler`: clients share the control database through PgBouncer in transaction mode, with fewer
 * sessions than clients. Every result must have the rows of its own account only.
 */
const { values } = parseArgs({
  options: {
    statements: { type: 'string', default: '20000' },
    accounts: { type: 'string', default: '2' },
    processes: { type: 'string', default: '4' },
    sessions: { type: 'string', default: '3' },
  },
})
const asked = {
  statements: Number(values.statements),
  accounts: Number(values.accounts),
  processes: Number(values.processes),
  sessions: Number(values.sessions),
}

const undo: (() => Promise<unknown>)[] = []

async function cleanUp(): Promise<void> {
  for (const one of undo.splice(0).toReversed()) await one().catch(() => undefined)
}

async function run(program: string): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-pooler-'))
  undo.push(() => rm(home, { recursive: true, force: true }))
  await chmod(home, 0o711)
  const server = await startPostgres({ dataDir: join(home, 'postgres') })
  undo.push(() => server.stop())
  const { appUrl } = await prepareControlDb({ adminUrl: server.url })
  const pooler = await startPooler({ program, folder: join(home, 'pooler'), url: appUrl, sessions: asked.sessions })
  undo.push(() => pooler.stop())
  const [seenServer] = await readServers([{ setting: 'TRELLIS_DATABASE_URL', url: pooler.url }])
  if (!seenServer.isPooler) console.log('FAULT The start check takes the pooler for Postgres itself.')
  const controls = Array.from({ length: asked.processes }, () =>
    openControlDb({ url: pooler.url, max: 10, isPooled: true }),
  )
  undo.push(() => Promise.all(controls.map((control) => control.close())))
  const accounts = await createAccounts(appUrl, asked.accounts)
  const { answers, kinds, mixed, failed, sessions } = await useInterleaved(controls, {
    accounts,
    statements: asked.statements,
  })
  console.log(`${answers} answers over ${sessions} sessions, ${asked.processes * 20} clients at most`)
  for (const [kind, count] of kinds) console.log(`  ${kind.padEnd(36)}${count}`)
  for (const fault of [...mixed, ...failed].slice(0, 10)) console.log(`FAULT ${fault}`)
  const isShared = sessions <= asked.sessions
  if (!isShared) console.log(`FAULT The sessions were not shared: there were ${sessions}.`)
  console.log(`${mixed.length} mixed answers, ${failed.length} failed.`)
  return mixed.length === 0 && failed.length === 0 && isShared && seenServer.isPooler ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}
const program = findPooler()
try {
  if (program === undefined) console.error(POOLER_ADVICE)
  process.exitCode = program === undefined ? 1 : await run(program)
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await cleanUp()
}
