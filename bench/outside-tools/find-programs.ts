import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ProgramName, Programs } from './programs.ts'

const execute = promisify(execFile)

const VERSIONED_CLIENTS = '/usr/lib/postgresql'

async function listClients(name: string): Promise<string[]> {
  const versions = await readdir(VERSIONED_CLIENTS).catch(() => [])
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  return [name, ...newestFirst.map((version) => join(VERSIONED_CLIENTS, version, 'bin', name))]
}

const succeeds = async (program: string, args: readonly string[]): Promise<boolean> =>
  await execute(program, args).then(
    () => true,
    () => false,
  )

async function getMajor(program: string): Promise<number> {
  const { stdout } = await execute(program, ['--version']).catch(() => ({ stdout: '' }))
  return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0)
}

/** pg_dump and pg_restore refuse newer servers. */
async function findClient(name: string, { given, major }: { given?: string; major: number }): Promise<string | null> {
  for (const program of given === undefined ? await listClients(name) : [given])
    if ((await getMajor(program)) >= major) return program
  return null
}

const findIf = async (program: string, isThere: Promise<boolean>) => ((await isThere) ? program : null)

export async function findPrograms(
  option: (name: string) => string | undefined,
  serverMajor: number,
): Promise<Record<ProgramName, string | null>> {
  const client = (name: string, major: number) => {
    const given = option(name)
    return findClient(name, { major, ...(given !== undefined && { given }) })
  }
  const python = option('python') ?? '/usr/bin/python3'
  const java = option('java') ?? 'java'
  const jdbc = option('jdbc') ?? '/usr/share/java/postgresql.jar'
  return {
    psql: await client('psql', 1),
    pg_dump: await client('pg_dump', serverMajor),
    pg_restore: await client('pg_restore', serverMajor),
    python: await findIf(python, succeeds(python, ['-c', 'import sqlalchemy, psycopg2'])),
    java: await findIf(java, succeeds(java, ['--version'])),
    jdbc: await findIf(
      jdbc,
      access(jdbc).then(
        () => true,
        () => false,
      ),
    ),
  }
}

const LABELS: Record<ProgramName, (major: number) => string> = {
  psql: () => 'psql',
  pg_dump: (major) => `pg_dump ${major} or newer`,
  pg_restore: (major) => `pg_restore ${major} or newer`,
  python: () => 'Python with sqlalchemy and psycopg2',
  java: () => 'Java',
  jdbc: () => 'the JDBC driver (postgresql.jar)',
}

export const listMissing = (
  found: Record<ProgramName, string | null>,
  { needs, serverMajor }: { needs: readonly ProgramName[]; serverMajor: number },
): string[] => needs.filter((name) => found[name] === null).map((name) => LABELS[name](serverMajor))

export const toPrograms = (found: Record<ProgramName, string | null>): Programs =>
  Object.fromEntries(Object.entries(found).map(([name, path]) => [name, path ?? name])) as unknown as Programs
