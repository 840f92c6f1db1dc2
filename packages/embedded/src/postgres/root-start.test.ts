import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOwnFile } from './own-file.ts'
import { chooseOwner, type Owner } from './process-owner.ts'
import { openServerFolder } from './server-folder.ts'
import { startPostgres, type Postgres } from './start-postgres.ts'

const settings = { shared_buffers: '16MB', max_connections: 20 }
const refused = { name: 'StartProblem' }
const templates = mkdtempSync(join(tmpdir(), 'trellis-root-'))
const made = join(templates, 'postgres')
let above: string
let folder: string
let secret: string
let server: Postgres | undefined

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'trellis-root-'))
  chmodSync(above, 0o711)
  folder = join(above, 'postgres')
  secret = join(above, 'secret')
  writeFileSync(secret, 'only for root\n', { mode: 0o600 })
})

afterEach(async () => {
  await server?.stop()
  server = undefined
  rmSync(above, { recursive: true, force: true })
})

afterAll(() => rmSync(templates, { recursive: true, force: true }))

async function startAndAsk(sql: string): Promise<unknown> {
  server = await startPostgres({ dataDir: folder, settings })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

async function stop(): Promise<void> {
  await server?.stop()
  server = undefined
}

/** Owned by the database user, as in earlier versions. */
async function makeOldFolder(): Promise<Owner> {
  if (!existsSync(made)) {
    await startAndAsk('create table kept as select 42 as answer')
    await stop()
    rmSync(join(folder, 'postgresql.conf'))
    renameSync(folder, made)
  }
  execFileSync('cp', ['-a', made, folder])
  const { uid, gid } = statSync(join(folder, 'data'))
  chownSync(folder, uid, gid)
  chmodSync(folder, 0o700)
  return { uid, gid }
}

function replaceByLink(path: string, target: string, { uid, gid }: Owner): void {
  rmSync(path, { force: true })
  symlinkSync(target, path)
  lchownSync(path, uid, gid)
}

function expectUntouched(path: string): void {
  expect(statSync(path)).toMatchObject({ uid: 0, gid: 0 })
  if (path === secret) expect(readFileSync(path, 'utf8')).toBe('only for root\n')
}

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  test('the database user owns the data and nothing else, and can write nowhere else', async () => {
    expect(await startAndAsk('show config_file')).toBe(join(folder, 'postgresql.conf'))
    const { uid, gid } = statSync(join(folder, 'data'))
    expect(uid).not.toBe(0)
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    expect(lstatSync(folder)).toMatchObject({ uid: 0, gid })
    expect(lstatSync(folder).mode & 0o777).toBe(0o710)
    expect(readdirSync(folder).toSorted()).toEqual([
      'data',
      'password',
      'pg_hba.conf',
      'port',
      'postgres.log',
      'postgresql.conf',
    ])
    for (const name of ['password', 'pg_hba.conf', 'port', 'postgres.log', 'postgresql.conf']) {
      expect(lstatSync(join(folder, name)).uid).toBe(0)
      expect(lstatSync(join(folder, name)).mode & 0o037).toBe(0)
    }
    const tries = `touch ${folder}/x; cat ${folder}/password; echo x >> ${folder}/postgresql.conf; ls ${folder}; true`
    expect(execFileSync('/bin/sh', ['-c', `(${tries}) 2>/dev/null`], { uid, gid, encoding: 'utf8' })).toBe('')
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  test('a folder of an earlier version keeps its database, password and port', async () => {
    await makeOldFolder()
    const kept = ['password', 'port'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(await startAndAsk('select answer from kept')).toBe(42)
    expect(['password', 'port'].map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(kept)
    expect(lstatSync(folder).uid).toBe(0)
  })

  test.each(['as it is now', 'of an earlier version'])(
    'data/postgresql.conf is a link, in a folder %s: its target stays as it was',
    async (layout) => {
      const owner = await makeOldFolder()
      if (layout === 'as it is now') chownSync(folder, 0, owner.gid)
      replaceByLink(join(folder, 'data', 'postgresql.conf'), secret, owner)
      expect(await startAndAsk('select answer from kept')).toBe(42)
      expectUntouched(secret)
      expect(statSync(secret).mode & 0o777).toBe(0o600)
    },
  )

  test.each(['postgresql.conf', 'postgresql.conf.new', 'port.new'])('%s is a link: it is replaced', async (name) => {
    const owner = await makeOldFolder()
    if (name === 'port.new') rmSync(join(folder, 'port'))
    replaceByLink(join(folder, name), secret, owner)
    expect(await startAndAsk('select answer from kept')).toBe(42)
    expectUntouched(secret)
  })

  test.each(['port', 'postgres.log', 'password', 'place', 'data'])('%s is a link: refused', async (name) => {
    const owner = await makeOldFolder()
    if (name === 'data') renameSync(join(folder, 'data'), join(above, 'elsewhere'))
    const target = name === 'data' ? above : secret
    replaceByLink(join(folder, name), target, owner)
    await expect(startAndAsk('select 1')).rejects.toMatchObject(refused)
    expectUntouched(target)
  })

  test.each(['port', 'password'])('%s is a file of the database user: refused', async (name) => {
    const { uid, gid } = await makeOldFolder()
    chownSync(join(folder, name), uid, gid)
    await expect(startAndAsk('select 1')).rejects.toMatchObject(refused)
  })

  test.each(['postgres', 'root'])('a place that names a folder outside, written by %s: refused', async (writer) => {
    const { uid, gid } = await makeOldFolder()
    const target = join(above, 'of-root')
    mkdirSync(target, { mode: 0o700 })
    writeFileSync(join(folder, 'place'), `${target}\n`)
    if (writer === 'postgres') chownSync(join(folder, 'place'), uid, gid)
    else chownSync(folder, 0, gid)
    await expect(startAndAsk('select 1')).rejects.toMatchObject(refused)
    expectUntouched(target)
    expect(statSync(target).mode & 0o777).toBe(0o700)
  })

  test('out of reach of the database user, the data lies in a folder of root all the same', async () => {
    chmodSync(above, 0o700)
    expect(await startAndAsk('select 1')).toBe(1)
    const root = server?.folder ?? ''
    try {
      expect(root).toMatch(/^\/var\/lib\/trellis\/[0-9a-f]{12}$/)
      expect(lstatSync(root)).toMatchObject({ uid: 0 })
      await stop()
      const { uid, gid } = statSync(join(root, 'data'))
      chownSync(root, uid, gid)
      expect(await startAndAsk('select 1')).toBe(1)
      expect(server?.folder).toBe(root)
      expect(lstatSync(root)).toMatchObject({ uid: 0 })
    } finally {
      await stop()
      rmSync(root, { recursive: true, force: true })
    }
  })

  test('a folder above that the database user owns or may write: refused before anything is touched', () => {
    const owner = chooseOwner(join(folder, 'data')) as Owner
    chmodSync(above, 0o777)
    expect(() => openServerFolder(folder, () => {})).toThrow(/chmod go-w/)
    chmodSync(above, 0o711)
    chownSync(above, owner.uid, owner.gid)
    expect(() => openServerFolder(folder, () => {})).toThrow(/belongs to user/)
    expect(readdirSync(folder)).toEqual([])
  })
})

test('a named pipe or a folder in the place of a file does not hold the start', () => {
  const pipe = join(above, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, above]) expect(() => openOwnFile(path, 0)).toThrow(/no plain file/)
})
