import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lchownSync, mkdirSync, renameSync, rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { isFolder } from './is-folder.ts'
import { readOwnFile, writeOwnFile } from './own-file.ts'
import type { ServerFolder } from './server-folder.ts'
import { toStartProblem, isDiskFullMessage, startError } from './start-problem.ts'

export const superuser = 'trellis_admin'

export async function ensureCluster(folder: ServerFolder, binaries: Binaries): Promise<string> {
  const isNew = !existsSync(join(folder.data, 'PG_VERSION'))
  const password = readOrMakePassword(folder, isNew)
  if (isNew) await createCluster(folder, binaries, password)
  return password
}

function readOrMakePassword({ passwordFile }: ServerFolder, isNew: boolean): string {
  const known = readOwnFile(passwordFile)?.trim()
  if (known) return known
  if (!isNew) throw startError(`The database password file ${passwordFile} is gone. Put it back from a backup.`)
  const password = randomBytes(24).toString('base64url')
  try {
    writeOwnFile(passwordFile, `${password}\n`)
  } catch (error) {
    throw toStartProblem(error, passwordFile)
  }
  return password
}

// Created under another name and renamed, so that a kill leaves no folder that looks complete.
async function createCluster(folder: ServerFolder, binaries: Binaries, password: string): Promise<void> {
  const unfinished = `${folder.data}.new`
  const pwfile = join(folder.root, 'initdb-password')
  try {
    createDataFolder(unfinished, folder)
    writeOwnFile(pwfile, `${password}\n`, { mode: 0o600, ...folder.owner })
    await runInitdb(folder, binaries, [
      ...['-D', unfinished, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${pwfile}`, '-E', 'UTF8'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      process.platform === 'darwin' ? '--locale=C' : '--locale=C.UTF-8',
    ])
    renameSync(unfinished, folder.data)
  } catch (error) {
    removeData(unfinished, folder)
    throw toStartProblem(error, folder.root)
  } finally {
    rmSync(pwfile, { force: true })
  }
}

export function createDataFolder(path: string, folder: ServerFolder): void {
  removeData(path, folder)
  mkdirSync(path, { mode: 0o700 })
  if (folder.owner) lchownSync(path, folder.owner.uid, folder.owner.gid)
}

// Deleted by its own user: that user's processes could trick root with a symlink.
export function removeData(path: string, { owner }: ServerFolder): void {
  if (!isFolder(path)) return
  if (!owner) return rmSync(path, { recursive: true, force: true })
  spawnSync('/bin/rm', ['-rf', '--', path], { ...owner, env: getServerEnv(), stdio: 'ignore' })
  rmdirSync(path)
}

function runInitdb(folder: ServerFolder, { initdb }: Binaries, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, args, {
      ...folder.owner,
      cwd: folder.root,
      env: getServerEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) =>
      reject(startError(`Postgres cannot be run on this machine (${error.message}).`, error)),
    )
    child.on('close', (code) => (code === 0 ? resolve() : reject(initError(folder, output))))
  })
}

function initError(folder: ServerFolder, output: string): Error {
  if (isDiskFullMessage(output)) {
    return startError(`The disk is full: no database can be made in ${folder.root}. Free some space and start again.`)
  }
  const reason = output.split('\n').findLast((line) => /error|fatal|could not/i.test(line)) ?? output.trim().slice(-300)
  return startError(
    `The database could not be made in ${folder.root}: ${reason.replace(/^initdb: (error: )?/, '').trim()}`,
  )
}

/** Nothing inherited: PGPORT, PGDATA or a locale would change the server. */
export function getServerEnv(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C', TZ: 'UTC' }
}
