import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()

export interface PreviousVersion {
  readonly folder: string
  readonly revision: string
  /** Migrations that the new version adds. */
  readonly migrations: readonly string[]
}

const MIGRATIONS = 'packages/control-db/migrations/'

export async function checkOutPrevious(
  from: string | undefined,
  { home, undo }: { home: string; undo: (() => Promise<unknown>)[] },
): Promise<PreviousVersion> {
  const wanted = from ?? (await git('describe', '--tags', '--abbrev=0').catch(() => undefined))
  if (wanted === undefined) throw new Error('No tag names the last release: say --from REVISION.')
  const revision = await git('rev-parse', '--short', `${wanted}^{commit}`)
  const folder = join(home, 'previous')
  await git('worktree', 'add', '--detach', folder, revision)
  undo.push(() => git('worktree', 'remove', '--force', folder))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--workspace=@trellis/server'], {
    cwd: folder,
  })
  const list = async (at: string) => (await git('ls-tree', '--name-only', at, MIGRATIONS)).split('\n')
  const known = new Set(await list(revision))
  const migrations = (await list('HEAD')).filter((file) => !known.has(file))
  return { folder, revision, migrations: migrations.map((file) => file.slice(MIGRATIONS.length)) }
}

export interface PreviousProcess {
  readonly exits: readonly string[]
  /** Answers how it ended. */
  stop(): Promise<string>
}

const START_TIMEOUT_MS = 180_000

/** One process of all roles, as `npm start`. */
export async function startPrevious(
  { folder }: PreviousVersion,
  { env, url, log }: { env: Readonly<Record<string, string>>; url: string; log: string },
): Promise<PreviousProcess> {
  const file = openSync(log, 'a')
  const child: ChildProcess = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  const exits: string[] = []
  const state = { isStopping: false }
  child.once('exit', (code, signal) => {
    if (!state.isStopping) exits.push(signal ?? String(code))
  })
  const stop = async () => {
    state.isStopping = true
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 40_000)
      await exit
      clearTimeout(timer)
    }
    return child.signalCode ?? String(child.exitCode)
  }
  for (const end = Date.now() + START_TIMEOUT_MS; ; await sleep(200)) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return { exits, stop }
    if (exits.length === 0 && Date.now() < end) continue
    await stop()
    throw new Error(`The previous version did not start: see ${log}.`)
  }
}
