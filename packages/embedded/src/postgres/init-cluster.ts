import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { ServerFolder } from './server-folder.ts'
import { asStartProblem, saysDiskFull, startProblem } from './start-problem.ts'

export const superuser = 'trellis_admin'

/** Makes the data folder when there is none, and gives the superuser's password. */
export async function ensureCluster(folder: ServerFolder, binaries: Binaries): Promise<string> {
  const isNew = !existsSync(join(folder.data, 'PG_VERSION'))
  const password = readOrMakePassword(folder, isNew)
  if (isNew) await createCluster(folder, binaries, password)
  return password
}

function readOrMakePassword({ passwordFile }: ServerFolder, isNew: boolean): string {
  if (existsSync(passwordFile)) {
    const password = readFileSync(passwordFile, 'utf8').trim()
    if (password) return password
  }
  if (!isNew) throw startProblem(`The database password file ${passwordFile} is gone. Put it back from a backup.`)
  const password = randomBytes(24).toString('base64url')
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flush: true })
  } catch (error) {
    throw asStartProblem(error, passwordFile)
  }
  return password
}

// Made beside its place and renamed at the end: a kill half-way must not leave a folder that looks complete.
async function createCluster(folder: ServerFolder, binaries: Binaries, password: string): Promise<void> {
  const unfinished = `${folder.data}.new`
  const pwfile = join(folder.root, 'initdb-password')
  try {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(pwfile, { force: true })
    writeFileSync(pwfile, `${password}\n`, { mode: 0o600, flag: 'wx' })
    if (folder.owner) chownSync(pwfile, folder.owner.uid, folder.owner.gid)
    await runInitdb(folder, binaries, [
      ...['-D', unfinished, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${pwfile}`, '-E', 'UTF8'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      process.platform === 'darwin' ? '--locale=C' : '--locale=C.UTF-8',
    ])
    renameSync(unfinished, folder.data)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw asStartProblem(error, folder.root)
  } finally {
    rmSync(pwfile, { force: true })
  }
}

function runInitdb(folder: ServerFolder, { initdb }: Binaries, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, args, {
      ...folder.owner,
      cwd: folder.root,
      env: serverEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) =>
      reject(startProblem(`Postgres cannot be run on this machine (${error.message}).`, error)),
    )
    child.on('close', (code) => (code === 0 ? resolve() : reject(initProblem(folder, output))))
  })
}

function initProblem(folder: ServerFolder, output: string): Error {
  if (saysDiskFull(output)) {
    return startProblem(`The disk is full: no database can be made in ${folder.root}. Free some space and start again.`)
  }
  const reason = output.split('\n').findLast((line) => /error|fatal|could not/i.test(line)) ?? output.trim().slice(-300)
  return startProblem(
    `The database could not be made in ${folder.root}: ${reason.replace(/^initdb: (error: )?/, '').trim()}`,
  )
}

/** Nothing of the caller's environment: PGPORT, PGDATA or a locale set there would change the server. */
export function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C', TZ: 'UTC' }
}
