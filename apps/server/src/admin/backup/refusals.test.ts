import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readMigrations } from '@trellis/control-db/migrate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { loadOrCreateKey } from '../../platform/secrets/key-files.ts'
import { localRootKey } from '../../platform/secrets/root-key.ts'
import { runAdmin } from '../run-admin.ts'
import { writeBackupFile } from './backup-files.ts'
import { toBackupProblem } from './backup.ts'
import { type Manifest, writeManifest } from './manifest.ts'

let folder: string
let backup: string
let home: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-refusals-'))
  backup = mkdtempSync(join(folder, 'backup-'))
  home = join(folder, 'home')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function makeManifest(change: Partial<Manifest> = {}): Promise<void> {
  await writeManifest(backup, {
    format: 1,
    trellis: '0.1.0',
    started_at: '2026-11-01T00:00:00.000Z',
    finished_at: '2026-11-01T00:00:01.000Z',
    platform: `${process.platform}-${process.arch}`,
    last_migration: (await readMigrations()).at(-1)?.name ?? '',
    root_key_ids: [],
    database: {
      postgres: '18.4',
      port: 21_000,
      bytes: 1,
      start_lsn: '0/1',
      end_lsn: '0/2',
      timeline: 1,
      databases: [],
    },
    objects: null,
    files: [],
    ...change,
  })
}

async function restore(settings: Record<string, string> = {}): Promise<{ code: number; said: string[] }> {
  const said: string[] = []
  const code = await runAdmin(['restore', backup], {
    readConfig: () => readConfig({ TRELLIS_HOME: home, ...settings }),
    print: (line) => void said.push(line),
    say: (line) => void said.push(line),
  })
  return { code, said }
}

test.each<[string, Partial<Manifest>, RegExp]>([
  [
    'a newer Trellis',
    { last_migration: '9999-from-later' },
    /made by a newer Trellis \(0\.1\.0, migration 9999-from-later\)/,
  ],
  ['another processor', { platform: 'plan9-vax' }, /made on plan9-vax and cannot be restored on/],
  [
    'another Postgres',
    { database: { postgres: '17.2', port: 1, bytes: 1, start_lsn: '', end_lsn: '', timeline: 1, databases: [] } },
    /made with PostgreSQL 17, and this version of Trellis has 18/,
  ],
  ['a Postgres elsewhere', { database: null }, /holds no databases.*TRELLIS_DATABASE_URL/],
])('a backup of %s is refused', async (_, change, sentence) => {
  await makeManifest(change)
  const { code, said } = await restore()
  expect(code).toBe(1)
  expect(said).toEqual([expect.stringMatching(sentence)])
})

test('a format of later is named, a changed or garbled manifest is damaged', async () => {
  await makeManifest({ format: 2 as 1 })
  expect(await restore()).toMatchObject({
    code: 1,
    said: [expect.stringContaining('in a format that this version does not know')],
  })
  const path = join(backup, 'manifest.json')
  await makeManifest()
  writeFileSync(path, readFileSync(path, 'utf8').replace('"0.1.0"', '"0.1.1"'))
  expect(await restore()).toMatchObject({ code: 1, said: [expect.stringContaining(`${path} is damaged`)] })
  writeFileSync(path, '{"format": 1,')
  expect(await restore()).toMatchObject({ code: 1, said: [expect.stringContaining(`${path} is damaged`)] })
})

test('without the root key of its time nothing is restored', async () => {
  const rightKey = loadOrCreateKey(join(folder, 'other'), 'root')
  await makeManifest({ root_key_ids: [localRootKey(rightKey).id] })
  expect(await restore()).toMatchObject({ code: 1, said: [expect.stringContaining('This backup holds no keys.')] })
  loadOrCreateKey(home, 'root')
  expect(await restore()).toMatchObject({
    code: 1,
    said: [expect.stringContaining('The root key is not the one of this backup')],
  })
  // The right key gets as far as the missing archive.
  const { said } = await restore({ TRELLIS_ROOT_KEY: rightKey.toString('base64') })
  expect(said[0]).toBe('Checking the backup.')
})

test.runIf(existsSync('/dev/full'))('a disk without room is told as one', async () => {
  const failure = await writeBackupFile('/dev', 'full', [Readable.from([Buffer.alloc(1024)])]).catch(
    (error: unknown) => error,
  )
  expect(toBackupProblem(failure, backup)).toMatchObject({
    message: expect.stringContaining(`The disk of ${backup} is full.`),
  })
})

test('used wrongly it says how', async () => {
  const say: string[] = []
  const terminal = {
    readConfig: () => readConfig({ TRELLIS_HOME: home }),
    print: () => {},
    say: (line: string) => void say.push(line),
  }
  expect(await runAdmin(['verify'], terminal)).toBe(2)
  expect(await runAdmin(['verify', join(folder, 'nowhere')], terminal)).toBe(1)
  expect(await runAdmin(['verify', 'a', 'b'], terminal)).toBe(2)
  expect(say).toEqual([
    expect.stringContaining('Name the folder'),
    `There is no folder ${join(folder, 'nowhere')}.`,
    expect.stringContaining('one argument too many'),
  ])
})
