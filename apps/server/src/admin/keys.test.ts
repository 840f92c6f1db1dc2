import { existsSync, linkSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { rewrapKeys } from '../platform/secrets/data-keys.ts'
import { loadOrCreateKey } from '../platform/secrets/key-files.ts'
import { localRootKey, openRootKeys } from '../platform/secrets/root-key.ts'
import { createSecretBox } from '../platform/secrets/secret-box.ts'
import { listAddresses } from '../platform/start-checks/read-servers.ts'
import type { AdminFlags } from './command.ts'
import { rotateKeys } from './keys.ts'

const SCOPES = ['workspace:1', 'workspace:2', 'workspace:3']
let database: TestDatabase
let home: string
let settings: Record<string, string>
let sealed: string[]

const config = () => readConfig({ TRELLIS_HOME: home, ...settings })
const newBox = () => createSecretBox(openRootKeys(config()))
const place = (scope: string) => ({ scope, field: 'password' })
const file = (name: string) => join(home, 'keys', `${name}.key`)
const openAll = async (box = newBox()) =>
  await Promise.all(SCOPES.map((scope, at) => box.open(database, place(scope), sealed[at] ?? '')))

async function rotate(flags: AdminFlags = {}): Promise<object> {
  let shown = {}
  const installation = {
    config: config(),
    control: database,
    addresses: listAddresses(config()),
    migrate: async () => [],
    clusterUrl: database.adminUrl,
    builtIn: undefined,
    audit: async () => {},
    close: async () => {},
  }
  await rotateKeys({ installation, args: [], flags, say: () => {}, show: (result) => (shown = result) })
  return shown
}

beforeEach(async () => {
  database = await createTestDatabase()
  home = mkdtempSync(join(tmpdir(), 'trellis-keys-'))
  settings = {}
  const box = newBox()
  sealed = await Promise.all(SCOPES.map((scope) => box.seal(database, place(scope), `secret of ${scope}`)))
})
afterEach(async () => {
  await database.close()
  rmSync(home, { recursive: true, force: true })
})

const ALL = SCOPES.map((scope) => `secret of ${scope}`)

test('a process that started before the rotation opens and seals after it, without a restart', async () => {
  const running = newBox()
  const old = openRootKeys(config()).current().id
  expect(await rotate()).toMatchObject({ data_keys: 3, is_finished: false })
  expect(await openAll(running)).toEqual(ALL)
  const fresh = await running.seal(database, place('workspace:9'), 'new')
  expect(await rotate({ finish: true })).toEqual({ is_finished: true, is_removed: true })
  expect(existsSync(file('root-previous'))).toBe(false)
  expect(openRootKeys(config()).current().id).not.toBe(old)
  expect(await newBox().open(database, place('workspace:9'), fresh)).toBe('new')
  expect(await openAll()).toEqual(ALL)
})

test('killed while keys are wrapped anew: both keys open, and the next call goes on', async () => {
  const next = localRootKey(loadOrCreateKey(home, 'root-next'))
  await rewrapKeys(database.db, { from: openRootKeys(config()).current(), to: next }, 1)
  expect(await openAll()).toEqual(ALL)
  await newBox().assertRootKeyFits(database)
  expect(await rotate()).toMatchObject({ data_keys: 2, root_key_id: next.id })
  expect(await openAll()).toEqual(ALL)
})

test('killed between keeping the old key and the switch: the next call goes on', async () => {
  const from = openRootKeys(config()).current()
  const to = localRootKey(loadOrCreateKey(home, 'root-next'))
  await rewrapKeys(database.db, { from, to }, 3)
  linkSync(file('root'), file('root-previous'))
  expect(await openAll()).toEqual(ALL)
  expect(await rotate()).toMatchObject({ data_keys: 0, root_key_id: to.id })
  expect(existsSync(file('root-next'))).toBe(false)
  expect(await openAll()).toEqual(ALL)
})

test('a data key that was wrapped with the old key after the switch is taken along by --finish', async () => {
  const from = openRootKeys(config()).current()
  await rotate()
  await rewrapKeys(database.db, { from: openRootKeys(config()).current(), to: from }, 1)
  expect(await openAll()).toEqual(ALL)
  await rotate({ finish: true })
  expect(await openAll()).toEqual(ALL)
})

test('with the key in the settings both are given, and without the previous one the steps are told', async () => {
  const old = loadOrCreateKey(home, 'root').toString('base64')
  const next = loadOrCreateKey(home, 'elsewhere').toString('base64')
  settings = { TRELLIS_ROOT_KEY: old }
  await expect(rotate()).rejects.toThrow(/TRELLIS_ROOT_KEY_PREVIOUS/)
  settings = { TRELLIS_ROOT_KEY: next, TRELLIS_ROOT_KEY_PREVIOUS: old }
  expect(await openAll()).toEqual(ALL)
  expect(await rotate()).toMatchObject({ data_keys: 3, is_finished: true })
  settings = { TRELLIS_ROOT_KEY: next }
  expect(await openAll()).toEqual(ALL)
})

test('a root key that does not open the stored secrets is not rotated', async () => {
  rmSync(file('root'))
  await expect(rotate()).rejects.toThrow(/is missing/)
  expect(existsSync(file('root'))).toBe(false)
  loadOrCreateKey(home, 'root')
  await expect(rotate()).rejects.toThrow(/not the one/)
})
