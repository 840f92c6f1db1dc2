import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Binaries, findBinaries } from '../postgres/binaries.ts'
import { findFreePort } from '../postgres/free-port.ts'
import { createDataFolder, removeData, getServerEnv, superuser } from '../postgres/init-cluster.ts'
import { writeOwnFile } from '../postgres/own-file.ts'
import { type ServerFolder, openServerFolder } from '../postgres/server-folder.ts'
import { toStartProblem, isDiskFullMessage, startError } from '../postgres/start-problem.ts'

interface Request {
  readonly dataDir: string
  readonly archive: Readable
  readonly port?: number
  readonly log?: (line: string) => void
}

/** Restores a base backup and sets a new password. The folder is renamed into place once complete. */
export async function restoreCluster({ dataDir, archive, port, log = () => {} }: Request): Promise<{ folder: string }> {
  const folder = openServerFolder(dataDir, log)
  if (existsSync(folder.data)) throw startError(`${folder.data} holds a database already.`)
  const binaries = findBinaries({ owner: folder.owner, copyDir: folder.programs, log })
  const unfinished = `${folder.data}.new`
  try {
    createDataFolder(unfinished, folder)
    await unpackArchive(archive, unfinished, folder)
    const password = randomBytes(24).toString('base64url')
    await setPassword({ data: unfinished, folder, binaries }, password)
    writeOwnFile(folder.passwordFile, `${password}\n`)
    writeOwnFile(folder.portFile, `${port ?? (await findFreePort())}\n`)
    renameSync(unfinished, folder.data)
    return { folder: folder.root }
  } catch (error) {
    removeData(unfinished, folder)
    throw toStartProblem(error, folder.root)
  }
}

export async function unpackArchive(archive: Readable, data: string, folder: ServerFolder): Promise<void> {
  const { ended, stdin } = startProgram(['tar', '-x', '-p', '-f', '-', '-C', data], folder)
  const fed = pipeline(archive, stdin).catch((error: NodeJS.ErrnoException) => error)
  const { code, output } = await ended
  const problem = await fed
  if (problem && problem.code !== 'EPIPE') throw problem
  if (code === 0) return
  if (isDiskFullMessage(output)) throw diskFull(folder)
  throw startError(`The database could not be unpacked: ${output.trim().split('\n').at(-1) ?? ''}`)
}

/**
 * The backup has only the password's hash; single-user mode needs none. Starting it also replays the WAL as a proof.
 */
async function setPassword(
  { data, folder, binaries }: { data: string; folder: ServerFolder; binaries: Binaries },
  password: string,
): Promise<void> {
  const { ended, stdin } = startProgram([binaries.postgres, '--single', '-D', data, 'postgres'], folder)
  stdin.on('error', () => undefined)
  stdin.end(`ALTER ROLE ${superuser} PASSWORD '${password}';\n`)
  const { code, output } = await ended
  const reason = /(?:ERROR|FATAL|PANIC):\s+(.*)/.exec(output)?.[1]
  if (code === 0 && reason === undefined) return
  if (isDiskFullMessage(output)) throw diskFull(folder)
  throw startError(`Postgres did not accept the data of the backup: ${reason ?? `it ended with code ${code}`}.`)
}

function startProgram([program = '', ...args]: string[], folder: ServerFolder) {
  const child = spawn(program, args, {
    ...folder.owner,
    cwd: folder.root,
    env: getServerEnv(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', (error) => reject(startError(`${program} cannot be run (${error.message}).`, error)))
    child.once('close', (code) => resolve({ code, output }))
  })
  return { ended, stdin: child.stdin }
}

const diskFull = (folder: ServerFolder) =>
  startError(`The disk is full: the backup does not fit in ${folder.root}. Free some space and restore again.`)
