import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, lstatSync, readFileSync, renameSync } from 'node:fs'
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Binaries } from './binaries.ts'
import { getServerEnv } from './init-cluster.ts'
import { openOwnFile } from './own-file.ts'
import { stopServer } from './postmaster-pid.ts'
import type { ServerFolder } from './server-folder.ts'
import { toStartProblem, isDiskFullMessage, startError } from './start-problem.ts'

const { O_APPEND, O_CREAT, O_WRONLY } = constants
const GIGABYTE = 1024 ** 3

export interface RunningServer {
  pid: number
  stop(): Promise<void>
}

type Outcome = { isRunning: true; server: RunningServer } | { isRunning: false; reason: Reason; sentence: string }

type Reason = 'port_taken' | 'memory_in_use' | 'left_file' | 'failed'

interface Request {
  folder: ServerFolder
  binaries: Binaries
  url: string
  log: (line: string) => void
  onExit: (reason: string) => void
}

export async function runServer(request: Request): Promise<Outcome> {
  const { folder, binaries, onExit } = request
  const logStart = rotateLog(folder.logFile)
  const child = await spawnServer(folder, binaries)
  const guard = guardOrphan(folder, child.pid ?? 0)
  const life = { isReady: false, isStopping: false }
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      const reason = signal ? `it was ended by ${signal}` : `it ended with code ${code}`
      guard.kill()
      if (life.isReady && !life.isStopping) onExit(reason)
      resolve(reason)
    })
  })
  const isReady = await waitUntilReady(request, child).catch(async (error) => {
    await stopServer(child.pid ?? 0)
    throw error
  })
  if (!isReady) {
    await ended
    return readFailure(folder, logStart)
  }
  life.isReady = true
  const stop = async () => {
    life.isStopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    await stopServer(child.pid ?? 0)
    await ended
  }
  return { isRunning: true, server: { pid: child.pid ?? 0, stop } }
}

/** A session of its own, so that Ctrl-C does not stop the database before its clients. */
function spawnServer(folder: ServerFolder, binaries: Binaries): Promise<ChildProcess> {
  const output = openLog(folder.logFile)
  return new Promise<ChildProcess>((resolve, reject) => {
    const [program, ...args] = withMemoryLimit([
      ...([binaries.postgres, '-D', folder.data] as const),
      ...['-c', `config_file=${folder.settingsFile}`],
    ])
    const child = spawn(program, args, {
      ...folder.owner,
      cwd: folder.root,
      env: getServerEnv(),
      detached: true,
      stdio: ['ignore', output, output],
    })
    child.once('error', (error) =>
      reject(startError(`Postgres cannot be run on this machine (${error.message}).`, error)),
    )
    child.once('spawn', () => resolve(child))
  }).finally(() => closeSync(output))
}

/** Clients need a moment to notice that the supervisor is gone and to stop cleanly. */
const ORPHAN_GRACE_SECONDS = 6

/**
 * If the supervisor is killed, its end of the pipe closes, and this process stops the server. It compares
 * postmaster.pid first: the pid may belong to another program by then.
 */
function guardOrphan({ data, owner }: ServerFolder, pid: number): ChildProcess {
  const script = 'read -r _; sleep "$2"; read -r held < "$1/postmaster.pid" && [ "$held" = "$0" ] && kill -INT "$0"'
  const guard = spawn('/bin/sh', ['-c', script, String(pid), data, String(ORPHAN_GRACE_SECONDS)], {
    ...owner,
    cwd: '/',
    env: getServerEnv(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  guard.stdin?.on('error', () => undefined)
  return guard
}

/** ulimit: a statement can raise its own work_mem. With a limit it fails alone instead of taking the machine down. */
function withMemoryLimit(command: [string, ...string[]]): [string, ...string[]] {
  if (process.platform !== 'linux') return command
  const kilobytes = Math.floor(Math.max(2 * GIGABYTE, totalmem() / 4) / 1024)
  return ['/bin/sh', '-c', 'ulimit -v "$0"; exec "$@"', String(kilobytes), ...command]
}

/** Without a time limit: crash recovery can take minutes. False if the process ended. */
async function waitUntilReady({ url, log }: Request, child: ChildProcess): Promise<boolean> {
  const slow = setTimeout(() => log('Postgres is still starting: it recovers its data after a crash.'), 5000)
  try {
    while (child.exitCode === null && child.signalCode === null) {
      if (await canConnect(url)) return true
      await sleep(25)
    }
    return false
  } finally {
    clearTimeout(slow)
  }
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '28P01')
      throw startError(
        'The database password on disk is not the one of this database. Restore both from the same backup.',
      )
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const logLimit = 10 * 1024 * 1024

function rotateLog(logFile: string): number {
  const size = lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size < logLimit) return size
  renameSync(logFile, `${logFile}.1`)
  return 0
}

function openLog(logFile: string): number {
  try {
    return openOwnFile(logFile, O_WRONLY | O_APPEND | O_CREAT)
  } catch (error) {
    throw toStartProblem(error, logFile)
  }
}

function readFailure(folder: ServerFolder, logStart: number): Outcome {
  const news = readFileSync(folder.logFile).subarray(logStart).toString()
  const fail = (reason: Reason, sentence: string): Outcome => ({
    isRunning: false,
    reason,
    sentence,
  })
  if (news.includes('Address already in use')) return fail('port_taken', 'No port could be found for Postgres.')
  if (/pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(news)) {
    return fail('memory_in_use', `Another Postgres uses ${folder.data}. Stop it and start again.`)
  }
  if (isDiskFullMessage(news)) {
    return fail('failed', `The disk is full: Postgres cannot write to ${folder.root}. Free some space and start again.`)
  }
  const sentence = `Postgres did not start: ${findFailureReason(news)}. More is in ${folder.logFile}.`
  return fail(LEFT_FILE.test(news) ? 'left_file' : 'failed', sentence)
}

/** A rolled back unlogged table can leave an empty file over which recovery fails. The next start has removed it. */
const LEFT_FILE = /could not create file "(?:base|pg_tblspc)\/[^"]*": File exists/

/** Refusals during start-up look like a reason but are not. */
const TOO_EARLY = /^the database system is /

export function findFailureReason(log: string): string {
  const reasons = [...log.matchAll(/(?:FATAL|PANIC):\s+(.*)/g)].map(([, reason = '']) => reason)
  const ended = /LOG:\s+(.* was terminated by .*)/.exec(log)?.[1]
  return reasons.find((reason) => !TOO_EARLY.test(reason)) ?? ended ?? 'no reason was given'
}
