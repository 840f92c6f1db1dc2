import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { installPackage } from '../../tools/test/apt.ts'
import { findProgram } from '../find-program.ts'

export const POOLER_ADVICE =
  'PgBouncer was not found. Install it (Debian: "sudo apt-get install pgbouncer"), then run this again.'

export function findPooler(): string | undefined {
  if (!findProgram('pgbouncer')) installPackage('pgbouncer', { called: 'PgBouncer', isNeeded: true })
  return findProgram('pgbouncer')
}

export interface Pooler {
  readonly url: string
  stop(): Promise<void>
}

/** PgBouncer in transaction mode with so few sessions that clients must share them. */
export async function startPooler(options: {
  program: string
  folder: string
  url: string
  sessions: number
}): Promise<Pooler> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(options.url)
  const port = await findFreePort()
  await mkdir(options.folder, { recursive: true })
  await chmod(options.folder, 0o755)
  const settings = join(options.folder, 'pgbouncer.ini')
  const logins = join(options.folder, 'logins.txt')
  await writeFile(logins, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${logins}
pool_mode = transaction
default_pool_size = ${options.sessions}
max_client_conn = 500
`,
  )
  // It refuses to run as root.
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', settings] : [settings]
  const child = spawn(options.program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await untilItAnswers(port, child).catch((error: unknown) => {
    throw new Error(`PgBouncer did not start: ${said.trim()}`, { cause: error })
  })
  return {
    url: Object.assign(new URL(options.url), { host: `127.0.0.1:${port}` }).href,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export async function untilItAnswers(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}.`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error('Nothing answers at its port.')
}
