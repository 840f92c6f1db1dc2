import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as calls from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { applyFirewall } from '@trellis/workspace-db/firewall/apply-firewall'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type LoginSecret, type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { handleSweep } from './sweep.handler.ts'

// A server of its own, since its pg_hba.conf must not affect other tests.
const folder = mkdtempSync(join(tmpdir(), 'trellis-firewall-'))
const start = (port?: number) =>
  startPostgres({
    dataDir: folder,
    ...(port !== undefined && { port }),
    settings: { shared_buffers: '16MB', fsync: 'off', max_connections: 40 },
    listening: { address: '0.0.0.0', names: ['db.example.com'] },
  })
let server: Postgres
let app: TestApp
let account: TestAccount
let database: ReadyWorkspace
let secret: LoginSecret

beforeAll(async () => {
  server = await start()
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_CLUSTER_URL: server.url } })
  account = await makeAccount(app)
  database = await makeReadyWorkspace(app, { account, address: 'first' })
  const { params, integrationCode: integration_trellis_code } = database
  const listedResponse = await account.owner.call(roles.listDatabaseRoles, { params })
  const [viewer] = listedResponse.data
  const createdResponse = await account.owner.call(profiles.createExternalProfile, {
    params,
    body: {
      integration_trellis_code,
      name: 'Tool',
      role_trellis_codes: [viewer?.role_trellis_code],
      group_trellis_codes: [],
    },
  })
  secret = createdResponse.data.secret
})
afterAll(async () => {
  await app.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const set = (rules: object[], more: object = {}) =>
  account.owner.call(calls.setFirewall, {
    params: database.params,
    body: { integration_trellis_code: database.integrationCode, rules, ...more },
  })
const HERE = { name: 'Here', cidr: '127.0.0.1' }
const ELSEWHERE = { name: 'Office', cidr: '203.0.113.0/24' }

async function connect(options: Partial<pg.ClientConfig> = {}): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: server.port,
    database: `w_${database.key}`,
    user: secret.user_name,
    password: secret.password,
    ssl: { rejectUnauthorized: false },
    ...options,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
const canConnect = async (options: Partial<pg.ClientConfig> = {}) => {
  try {
    await (await connect(options)).end()
    return true
  } catch (error) {
    // invalid_authorization_specification: refused by pg_hba.
    expect(error).toMatchObject({ code: '28000' })
    return false
  }
}

beforeEach(async () => {
  await set([HERE], { accepts_lock_out: true })
})

describe('the firewall', () => {
  test('lets nobody in without a rule, and in the clear nobody at all', async () => {
    expect(await canConnect()).toBe(true)
    expect(await canConnect({ ssl: false })).toBe(false)
    await set([], { accepts_lock_out: true })
    expect(await canConnect()).toBe(false)
    await set([ELSEWHERE])
    expect(await canConnect()).toBe(false)
  })

  test('lets in only the profile a rule names', async () => {
    const { params, integrationCode: integration_trellis_code } = database
    const other = await account.owner.call(profiles.createExternalProfile, {
      params,
      body: { integration_trellis_code, name: 'Other', role_trellis_codes: [], group_trellis_codes: [] },
    })
    const { secret: theirs, profile } = other.data
    await set([{ ...HERE, profile_trellis_code: profile.profile_trellis_code }], { accepts_lock_out: true })
    expect(await canConnect()).toBe(false)
    expect(await canConnect({ user: theirs.user_name, password: theirs.password })).toBe(true)
    const path = { ...params, profile_trellis_code: profile.profile_trellis_code }
    await account.owner.call(profiles.deleteExternalProfile, { params: path })
    expect((await account.owner.call(calls.getFirewall, { params })).data.rules).toEqual([])
  })

  test('does not shut out whoever saves it unless that is meant, and then ends what is open', async () => {
    const refusedResponse = await set([ELSEWHERE])
    expect([refusedResponse.status, refusedResponse.errors[0]?.code]).toEqual([409, 'lock_out'])
    expect(await canConnect()).toBe(true)
    const open = await connect()
    const ended = new Promise((resolve) => open.once('end', resolve))
    expect((await set([ELSEWHERE], { accepts_lock_out: true })).status).toBe(200)
    await ended
    // Someone already excluded cannot be locked out.
    expect((await set([{ ...ELSEWHERE, name: 'Other' }])).status).toBe(200)
  })

  test('lets every address in only when that is meant, and marks the rules that do', async () => {
    const halves = [HERE, { name: 'Lower', cidr: '0.0.0.0/1' }, { name: 'Upper', cidr: '128.0.0.0/1' }]
    for (const rules of [[HERE, { name: 'All', cidr: '0.0.0.0/0' }], [HERE, { name: 'All', cidr: '::/0' }], halves]) {
      const refusedResponse = await set(rules)
      expect([refusedResponse.status, refusedResponse.errors[0]?.code]).toEqual([409, 'any_address'])
    }
    const { params, integrationCode: integration_trellis_code } = database
    const all = { integration_trellis_code, name: 'All', cidr: '0.0.0.0/0' }
    expect((await account.owner.call(calls.addFirewallRule, { params, body: all })).status).toBe(409)
    const accepted = await set(halves, { accepts_any_address: true })
    expect(accepted.data.rules.map((rule) => rule.is_any_address)).toEqual([false, true, true])
    // Already open ranges need no confirmation.
    expect((await set([...halves, ELSEWHERE])).status).toBe(200)
  })

  test('keeps ranges in their plain form and refuses what is none', async () => {
    const savedResponse = await set([
      HERE,
      { name: 'Wide', cidr: '203.0.113.77/24' },
      { name: 'Six', cidr: '2001:DB8::1/32' },
    ])
    expect(savedResponse.data.rules.map((rule) => rule.cidr)).toEqual([
      '127.0.0.1/32',
      '203.0.113.0/24',
      '2001:db8::/32',
    ])
    expect(savedResponse.data).toMatchObject({ your_address: '127.0.0.1', enforcement: 'applied', instructions: null })
    for (const cidr of ['1.2.3', '10.0.0.1/33', '::1/129', '010.1.1.1', 'fe80::1%eth0', 'all', '0.0.0.0/0\nhost all']) {
      const wrong = await set([HERE, { name: 'Wrong', cidr }])
      expect([cidr, wrong.status, wrong.errors[0]?.source?.pointer]).toEqual([cidr, 400, '/rules/1/cidr'])
    }
    expect((await set([HERE, { name: 'Everybody', cidr: '0.0.0.0/0' }], { accepts_any_address: true })).status).toBe(
      200,
    )
  })

  test('ends a rule with its time', async () => {
    const expires_at = new Date(app.clock.now().getTime() + 60_000).toISOString()
    await set([{ ...HERE, expires_at }], { accepts_lock_out: true })
    expect(await canConnect()).toBe(true)
    app.clock.move(61_000)
    await handleSweep(app.ctx)
    expect(await canConnect()).toBe(false)
    const [rule] = (await account.owner.call(calls.getFirewall, { params: database.params })).data.rules
    expect(rule?.is_expired).toBe(true)
    app.clock.move(-61_000)
  })

  test('stays as it was when the server can not read what would be written', async () => {
    const cluster = await app.ctx.ports.cluster.open()
    const name = `w_${database.key}`
    const lines = [{ database: name, profile: null, cidr: '999.1.1.1/32' }]
    await expect(applyFirewall(cluster, { databases: [name], lines })).rejects.toThrow('can not read')
    expect(await canConnect()).toBe(true)
    await cluster.admin.query('select pg_reload_conf()')
    expect(await canConnect()).toBe(true)
    const bad = [{ database: name, profile: null, cidr: '1.1.1.1/32 trust' }]
    await expect(applyFirewall(cluster, { databases: [name], lines: bad })).rejects.toThrow('no firewall rule')
  })

  test('is the same after a restart, and a file cut off in the middle keeps nobody from starting', async () => {
    const file = join(server.folder, 'data', 'trellis_firewall.conf')
    const { port } = server
    await server.stop()
    server = await start(port)
    expect(await canConnect()).toBe(true)
    await server.stop()
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30))
    server = await start(port)
    expect(await canConnect()).toBe(false)
    await handleSweep(app.ctx)
    expect(await canConnect()).toBe(true)
  })

  test('lets the platform in from this machine alone', async () => {
    const { rows } = await (
      await app.ctx.ports.cluster.open()
    ).admin.query<{ users: string[]; address: string }>(
      `select user_name as users, address from pg_hba_file_rules
        where auth_method <> 'reject' and not user_name @> '{+trellis_external}' order by rule_number`,
    )
    expect(new Set(rows.map((row) => row.address))).toEqual(new Set(['127.0.0.1', '::1']))
  })
})

describe('many connections', () => {
  test('of one tool leave room for the platform', async () => {
    const { params, integrationCode: integration_trellis_code } = database
    const createdResponse = await account.owner.call(profiles.createExternalProfile, {
      params,
      body: {
        integration_trellis_code,
        name: 'Greedy',
        role_trellis_codes: [],
        group_trellis_codes: [],
        connection_limit: 50,
      },
    })
    const { user_name: user, password } = createdResponse.data.secret
    const open: pg.Client[] = []
    const outcome: unknown = await (async () => {
      for (let count = 0; count < 40; count += 1) open.push(await connect({ user, password }))
    })().catch((error: unknown) => error)
    expect(outcome).toMatchObject({ code: '53300' })
    expect(open.length).toBeLessThan(20)
    const platform = new pg.Client(
      (await app.ctx.ports.cluster.open()).loginConfig({
        database: `w_${database.key}`,
        user: `w_${database.key}_ro`,
        password: 'x',
      }),
    )
    // A wrong password proves that a connection was available.
    await expect(platform.connect()).rejects.toMatchObject({ code: '28P01' })
    expect((await account.owner.call(calls.getRights, { params })).status).toBe(200)
    await Promise.all(open.map((client) => client.end()))
  })
})

describe('the connection', () => {
  test('is verified with the certificate that is shown', async () => {
    const { data } = await account.owner.call(calls.getConnection, { params: database.params })
    expect(data).toMatchObject({ port: server.port, is_reachable_from_outside: true, database: `w_${database.key}` })
    expect(data.certificate).toContain('BEGIN CERTIFICATE')
    const ca = data.certificate ?? ''
    expect(await canConnect({ ssl: { ca, servername: 'db.example.com' } })).toBe(true)
    await expect(connect({ ssl: { ca, servername: 'other.example.com' } })).rejects.toThrow(/altnames/)
    await expect(connect({ ssl: true })).rejects.toThrow(/self-signed|unable to verify/i)
  })

  // The packaged binaries contain no psql.
  test.runIf(existsSync('/usr/bin/psql'))('works with psql and the string that is shown', async () => {
    const { data } = await account.owner.call(calls.getConnection, { params: database.params })
    const root = join(folder, 'root.crt')
    writeFileSync(root, data.certificate ?? '')
    const psql = (text: string, host = '127.0.0.1') =>
      spawnSync(
        '/usr/bin/psql',
        [
          `postgresql://${secret.user_name}@${host}:${data.port}/${data.database}?sslmode=verify-full&sslrootcert=${root}`,
          '-Atc',
          text,
        ],
        { env: { PGPASSWORD: secret.password }, encoding: 'utf8' },
      )
    expect(psql('select 1').stdout.trim(), psql('select 1').stderr).toBe('1')
    expect(psql('create table data.t (n int)').stderr).toContain('permission denied')
    await set([ELSEWHERE], { accepts_lock_out: true })
    expect(psql('select 1').stderr).toContain('pg_hba.conf rejects connection')
  })
})
