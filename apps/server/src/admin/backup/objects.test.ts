import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { withDatabase } from '@trellis/control-db/prepare'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { openObjectStore } from '../../platform/object-store/open-object-store.ts'
import { type S3Server, startS3Server } from '../../platform/object-store/testing/s3-server.ts'
import { openRootKeys } from '../../platform/secrets/root-key.ts'
import { createSecretBox } from '../../platform/secrets/secret-box.ts'
import { runAdmin } from '../run-admin.ts'
import { type CopiedObjects, copyObjects, openBackupStore } from './objects.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-copies-'))
let server: S3Server
let settings: Record<string, string>
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startS3Server(join(folder, 's3'), ['first', 'second'])
  settings = {
    TRELLIS_HOME: join(folder, 'home'),
    TRELLIS_DATABASE_URL: withDatabase(database.adminUrl, new URL(database.url).pathname.slice(1)),
    TRELLIS_S3_BUCKET: 'first',
    ...server.settings,
  }
})
afterAll(async () => {
  await server.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function admin(args: string[], more: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  const said: string[] = []
  const code = await runAdmin(args, {
    readConfig: () => readConfig({ ...settings, ...more }),
    print: (line) => void said.push(line),
    say: (line) => void said.push(line),
  })
  return { code, said: said.join('\n') }
}

test('a second look copies what is new or changed, and no object that is gone again', async () => {
  const store = openObjectStore(readConfig({ TRELLIS_HOME: join(folder, 'local') }))
  const [copies, copied]: [ReturnType<typeof openBackupStore>, CopiedObjects] = [
    openBackupStore(join(folder, 'copies')),
    new Map(),
  ]
  await store.put('a/same', Buffer.from('same'))
  await store.put('a/changed', Buffer.from('old'))
  await copyObjects(store, copies, copied)
  await store.put('a/changed', Buffer.from('newer'))
  await store.put('b/new', Buffer.from('new'), { contentType: 'text/plain' })
  const vanishing = {
    ...store,
    list: async (...args: Parameters<typeof store.list>) => {
      const { objects, nextAfter } = await store.list(...args)
      return { objects: [...objects, { key: 'c/gone', size: 1, modifiedAt: new Date() }], nextAfter }
    },
  }
  await copyObjects(vanishing, copies, copied)
  expect([...copied.keys()].toSorted()).toEqual(['a/changed', 'a/same', 'b/new'])
  expect(await text((await copies.get('a/changed')).stream)).toBe('newer')
  expect(await copies.stat('b/new')).toMatchObject({ size: 3, contentType: 'text/plain' })
})

test('with a Postgres and a bucket of its own: files and keys are backed up, restored, and the rest is said', async () => {
  const store = openObjectStore(readConfig(settings))
  await store.put('exports/one', Buffer.from('one'), { contentType: 'text/csv' })
  await store.put('exports/two', Buffer.from('two'))
  const config = readConfig(settings)
  await createSecretBox(openRootKeys(config)).seal(database, { scope: 'workspace:1', field: 'password' }, 'secret')
  const backup = join(folder, 'backup')
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, 'four words of a song')

  const made = await admin(['backup', backup, '--passphrase-file', passphraseFile])
  expect(made.said).toMatch(/0 databases, 2 files.*The databases are not in it/s)
  expect(made.code).toBe(0)
  const rootKey = readFileSync(join(config.home, 'keys', 'root.key'), 'utf8')

  const restore = ['restore', backup, '--passphrase-file', passphraseFile]
  const elsewhere = { TRELLIS_HOME: join(folder, 'elsewhere') }
  expect(await admin(restore, elsewhere)).toMatchObject({ code: 1, said: expect.stringContaining('bucket first') })
  expect(await admin(restore, { ...elsewhere, TRELLIS_S3_BUCKET: 'second' })).toMatchObject({
    code: 0,
    said: expect.stringContaining('Restore the databases with the tools of your Postgres'),
  })
  expect(readFileSync(join(elsewhere.TRELLIS_HOME, 'keys', 'root.key'), 'utf8')).toBe(rootKey)
  const restoredObjectStore = openObjectStore(readConfig({ ...settings, TRELLIS_S3_BUCKET: 'second' }))
  const { stream, contentType } = await restoredObjectStore.get('exports/one')
  expect([await text(stream), contentType]).toEqual(['one', 'text/csv'])
  expect(await admin(['verify', backup])).toMatchObject({
    code: 0,
    said: expect.stringContaining('not in this backup'),
  })
})

test('without a passphrase no key gets into the backup, and files can be left out', async () => {
  const backup = join(folder, 'plain')
  const { code, said } = await admin(['backup', backup, '--without-objects'])
  expect(code).toBe(0)
  expect(said).toContain(`The root key is not in it. Keep ${join(folder, 'home')}/keys elsewhere`)
  expect(said).toContain('Uploaded and exported files are not in it.')
  expect(JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))).toMatchObject({ objects: null, files: [] })
})

test('a backup in the data folder, or with a short passphrase, is refused', async () => {
  const inside = join(folder, 'home', 'backup')
  expect(await admin(['backup', inside])).toMatchObject({
    code: 1,
    said: expect.stringContaining('lies in the data folder'),
  })
  const short = join(folder, 'short')
  writeFileSync(short, 'short\n')
  expect(await admin(['backup', join(folder, 'none'), '--passphrase-file', short])).toMatchObject({
    code: 2,
    said: expect.stringContaining('at least 12 characters'),
  })
})
