import { randomBytes } from 'node:crypto'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localRootKey, openRootKeys, fixedRootKeys } from './root-key.ts'
import { type SecretAddress, createSecretBox, rotateRootKey } from './secret-box.ts'

let database: TestDatabase
const root = localRootKey(randomBytes(32))
const place = { scope: 'workspace:1', field: 'integration:7/password' } as const

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.close())

/** As in another process, without caches. */
const NOWHERE = { previousRootKey: undefined, home: '/nowhere' }
const ctxWith = (...keys: Parameters<typeof fixedRootKeys>) => ({
  db: database.db,
  box: createSecretBox(fixedRootKeys(...keys)),
})

type TestCtx = ReturnType<typeof ctxWith>
const seal = async (ctx: TestCtx, at: SecretAddress, text: string) => await ctx.box.seal(ctx, at, text)
const open = async (ctx: TestCtx, at: SecretAddress, sealed: string) => await ctx.box.open(ctx, at, sealed)
const shredScope = async (ctx: TestCtx, scope: string) => await ctx.box.shredScope(ctx, scope)
const assertRootKeyFits = async (ctx: TestCtx) => await ctx.box.assertRootKeyFits(ctx)

describe('sealing', () => {
  test.each(['', 'hunter2', 'pässwörd 🌱\u0000\n', 'x'.repeat(100_000)])(
    'gives back what was sealed (%#)',
    async (secret) => {
      const sealed = await seal(ctxWith(root), place, secret)
      expect(await open(ctxWith(root), place, sealed)).toBe(secret)
    },
  )

  test('the same value looks different every time and never shows', async () => {
    const ctx = ctxWith(root)
    const sealed = await Promise.all(Array.from({ length: 50 }, () => seal(ctx, place, 'canary-secret-value')))
    expect(new Set(sealed).size).toBe(50)
    const { rows } = await database.pool.query('select data_keys::text as row from data_keys')
    const stored = sealed.join() + JSON.stringify(rows)
    for (const form of ['canary-secret-value', Buffer.from('canary-secret-value').toString('base64url')]) {
      expect(stored).not.toContain(form)
    }
  })

  test('one key per scope, however many processes begin at once', async () => {
    const at = { scope: 'workspace:77', field: 'f' } as const
    const sealed = await Promise.all(Array.from({ length: 12 }, () => seal(ctxWith(root), at, 'x')))
    expect(new Set(sealed.map((text) => text.split('.')[1])).size).toBe(1)
  })
})

describe('a sealed value that was moved or changed is refused', () => {
  test('to another workspace', async () => {
    const ctx = ctxWith(root)
    const other = { scope: 'workspace:2', field: place.field } as const
    await seal(ctx, other, 'theirs')
    const sealed = await seal(ctx, place, 'mine')
    await expect(open(ctx, other, sealed)).rejects.toThrow(/moved/)
  })

  test('to another field', async () => {
    const ctx = ctxWith(root)
    const sealed = await seal(ctx, place, 'mine')
    await expect(open(ctx, { ...place, field: 'integration:8/password' }, sealed)).rejects.toThrow(/moved/)
  })

  test('under the name of another data key', async () => {
    const ctx = ctxWith(root)
    const sealed = await seal(ctx, place, 'mine')
    const foreign = await seal(ctx, { scope: 'workspace:3', field: 'f' }, 'theirs')
    const [, foreignId] = foreign.split('.')
    await expect(open(ctx, place, sealed.replace(/^v1\.[^.]+/, `v1.${foreignId}`))).rejects.toThrow(/moved/)
  })

  test('in any single byte', async () => {
    const ctx = ctxWith(root)
    const sealed = await seal(ctx, place, 'mine')
    const [version, id, body = ''] = sealed.split('.')
    const bytes = Buffer.from(body, 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      await expect(open(ctx, place, [version, id, changed.toString('base64url')].join('.'))).rejects.toThrow(/changed/)
    }
  })

  test.each([
    '',
    'mine',
    'v1.x.y',
    'v2.00000000-0000-0000-0000-000000000000.AAAA',
    'v1.00000000-0000-0000-0000-000000000000.AA',
  ])('or is no sealed value at all: "%s"', async (text) => {
    await expect(open(ctxWith(root), place, text)).rejects.toThrow()
  })

  test('also when the wrapped key of one scope is put under another', async () => {
    const a = { scope: 'workspace:11', field: 'f' } as const
    const b = { scope: 'workspace:12', field: 'f' } as const
    const sealed = await seal(ctxWith(root), a, 'of a')
    await seal(ctxWith(root), b, 'of b')
    await database.pool.query(
      "update data_keys set wrapped = (select wrapped from data_keys where scope = 'workspace:12') where scope = 'workspace:11'",
    )
    await expect(open(ctxWith(root), a, sealed)).rejects.toThrow(/moved/)
    await shredScope(ctxWith(root), 'workspace:11')
  })
})

test('shredding a scope destroys its secrets and no others; the scope can begin anew', async () => {
  const ctx = ctxWith(root)
  const gone = { scope: 'profile:5', field: 'second-factor' } as const
  const sealed = await seal(ctx, gone, 'old')
  const kept = await seal(ctx, place, 'kept')
  await shredScope(ctx, 'profile:5')
  await expect(open(ctx, gone, sealed)).rejects.toThrow(/destroyed/)
  expect(await open(ctx, place, kept)).toBe('kept')
  expect(await open(ctx, gone, await seal(ctx, gone, 'new'))).toBe('new')
})

test('a process that still remembers a shredded key seals with the new one', async () => {
  const at = { scope: 'profile:6', field: 'f' } as const
  const [one, two] = [ctxWith(root), ctxWith(root)]
  await seal(one, at, 'before')
  await shredScope(two, 'profile:6')
  expect(await open(two, at, await seal(one, at, 'after'))).toBe('after')
})

test('rotation wraps the keys anew: secrets open with the new root key, no longer with the old', async () => {
  const next = localRootKey(randomBytes(32))
  const sealed = await seal(ctxWith(root), place, 'stays')
  const before = (await database.pool.query('select count(*)::int as n from data_keys')).rows[0].n
  await expect(assertRootKeyFits(ctxWith(next))).rejects.toThrow(/not the one/)
  expect(await open(ctxWith(next, root), place, sealed)).toBe('stays')
  expect(await rotateRootKey(ctxWith(root), { from: root, to: next })).toBe(before)
  expect(await rotateRootKey(ctxWith(root), { from: root, to: next })).toBe(0)
  expect(await open(ctxWith(next), place, sealed)).toBe('stays')
  await expect(open(ctxWith(root), place, sealed)).rejects.toThrow(/not configured/)
  await expect(assertRootKeyFits(ctxWith(next))).resolves.toBeUndefined()
  await rotateRootKey(ctxWith(next), { from: next, to: root })
})

test.each([
  ['too short', randomBytes(16).toString('base64')],
  ['too long', randomBytes(48).toString('base64')],
  ['no base64', 'correct horse battery staple!'],
  ['empty', ''],
  ['all zero', Buffer.alloc(32).toString('base64')],
  ['one letter', Buffer.alloc(32, 'a').toString('base64')],
  ['a counted pattern', Buffer.from('0123'.repeat(8)).toString('base64')],
  ['a sentence', Buffer.from('this is my very secret root key!').toString('base64')],
])('a weak root key is refused: %s', (_, rootKey) => {
  expect(() => openRootKeys({ ...NOWHERE, rootKey })).toThrow(/root key|TRELLIS_ROOT_KEY/)
})

test('a good root key from the settings is taken in either base64', () => {
  const secret = randomBytes(32)
  const plainRootKey = openRootKeys({ ...NOWHERE, rootKey: secret.toString('base64') }).current()
  const forUrls = openRootKeys({ ...NOWHERE, rootKey: secret.toString('base64url') }).current()
  expect(plainRootKey.id).toBe(forUrls.id)
})
