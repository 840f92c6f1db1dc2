import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { startError } from './start-problem.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

interface Access {
  mode: number
  uid?: number
  gid?: number
}

/** Refuses symlinks and hard links, by which a former owner of the folder could redirect what root reads or writes. */
export function openOwnFile(path: string, flags: number): number {
  const file = openPlain(path, flags)
  const { uid, nlink } = fstatSync(file)
  if (process.getuid?.() !== 0 || (uid === 0 && nlink === 1)) return file
  closeSync(file)
  throw toForeignFileError(path)
}

function openPlain(path: string, flags: number): number {
  let file: number
  try {
    // Opening a named pipe would otherwise block forever.
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    throw ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? toForeignFileError(path)
      : error
  }
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw toForeignFileError(path)
}

function toForeignFileError(path: string): Error {
  return startError(
    `${path} is no plain file of this user. Start Trellis as the user whose data it is, or move the file away.`,
  )
}

export function readOwnFile(path: string): string | undefined {
  return readAndClose(() => openOwnFile(path, O_RDONLY))
}

/** For a file the database user may have written: do not trust its content. */
export function readUntrusted(path: string): string | undefined {
  return readAndClose(() => openPlain(path, O_RDONLY))
}

function readAndClose(open: () => number): string | undefined {
  let file: number
  try {
    file = open()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Replaces the file by rename; never follows a symlink. */
export function writeOwnFile(path: string, text: string, { mode, uid = -1, gid = -1 }: Access = { mode: 0o600 }): void {
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  const file = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(file, text)
    if (uid !== -1 || gid !== -1) fchownSync(file, uid, gid)
    fchmodSync(file, mode)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
