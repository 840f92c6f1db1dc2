import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { applyFirewall } from '../firewall/apply-firewall.ts'
import { toWorkspaceNames } from '../names.ts'
import { toProfileRoleName } from '../roles/access-names.ts'
import type { Template } from '../roles/templates.ts'
import { type TestAccess, type TestLogin, testAccess } from '../roles/testing.ts'
import { createSchema } from '../schemas/change-schemas.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { externalProbes } from './external.probes.ts'
import { toStatements, type Probe, type ProbeWords } from './probe.ts'
import { readOnlyProbes } from './read-only.probes.ts'

const SETUP = [
  'create table target (n int primary key, word text)',
  "insert into target values (1, 'one'), (2, 'two')",
  'create view target_view as select * from target',
  'create materialized view stored as select * from target',
  'create sequence counter',
  `create function write_for_reader() returns void security definer language sql as 'insert into data.target values (8, null)'`,
  `create procedure write_by_procedure() security definer language sql as 'insert into data.target values (8, null)'`,
  'create function nothing() returns event_trigger language plpgsql as $$ begin end $$',
  'create table other.secret (n int)',
]
const TEMPLATES: readonly (readonly [Template, string | null])[] = [
  ['reader', 'data'],
  ['writer', 'data'],
  ['admin', 'data'],
  ['analyst', null],
  ['loader', 'data'],
  ['bi', null],
]

let cluster: Cluster
let workspace: TestWorkspace
let neighbour: TestWorkspace
let own: TestAccess
let words: ProbeWords
const logins = new Map<Template, TestLogin>()

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  neighbour = await testWorkspace(cluster)
  own = await testAccess(cluster, workspace)
  await createSchema(cluster, { key: workspace.key, name: 'other' })
  await workspace.runAll('rw', SETUP)
  await neighbour.runAll('rw', ['create table secrets (word text)'])
  for (const [template, schema] of TEMPLATES) logins.set(template, await own.login(template, schema))
  const { rows } = await cluster.admin.query<{ name: string }>('select current_user as name')
  words = {
    ...toWorkspaceNames(workspace.key),
    neighbour: neighbour.database,
    neighbourOwner: neighbour.roles.owner,
    neighbourLogin: neighbour.roles.readWrite,
    admin: rows[0]?.name ?? '',
  }
})

const getLogin = (template: Template): TestLogin => {
  const login = logins.get(template)
  if (!login) throw new Error('There is no such login.')
  return login
}
const readsEverything = (template: Template) => template === 'analyst' || template === 'bi'

async function isRefused(template: Template, probe: Probe): Promise<void> {
  const login = getLogin(template)
  const more = { ...words, profile: toProfileRoleName(toWorkspaceNames(workspace.key), login.slug) }
  const outcome: unknown = await own.run(login, ...toStatements(probe, more)).catch((error: unknown) => error)
  expect(outcome, probe.name).toMatchObject({ code: probe.state ?? '42501' })
}

describe.each(TEMPLATES)('a login of %s', (template) => {
  const probes = externalProbes.filter((probe) => probe.as !== 'rw' || !readsEverything(template))
  it.each(probes.map((probe) => [probe.name, probe] as const))('is refused: %s', async (_, probe) => {
    await isRefused(template, probe)
  })

  it('connects to no other database, even where the firewall would let it', async () => {
    const lines = [{ database: neighbour.database, profile: null, cidr: '127.0.0.1/32' }]
    await applyFirewall(cluster, { databases: [neighbour.database], lines })
    await expect(own.connect(getLogin(template), neighbour.database)).rejects.toMatchObject({ code: '42501' })
    for (const database of ['postgres', 'template1', neighbour.database]) {
      await expect(own.connect(getLogin(template), database)).rejects.toBeInstanceOf(pg.DatabaseError)
    }
  })
})

describe.each(['reader', 'analyst', 'bi'] as const)('a login of %s', (template) => {
  it.each(readOnlyProbes.map((probe) => [probe.name, probe] as const))('can not write: %s', async (_, probe) => {
    // Without its role a login cannot see the schema.
    await isRefused(template, probe.name === 'as nobody' ? { ...probe, state: '42P01' } : probe)
  })
})

describe.each(['writer', 'loader'] as const)('a login of %s', (template) => {
  it.each([
    'create table data.probe (n int)',
    'create view data.probe as select 1',
    'create sequence data.probe',
    "create type data.probe as enum ('a')",
    'drop table data.target',
    'alter table data.target add more int',
    'create index on data.target (word)',
    "comment on table data.target is 'mine'",
    'create trigger probe after insert on data.target execute function suppress_redundant_updates_trigger()',
    'create table data.probe as select 1',
  ])('can not make anything: %s', async (sql) => {
    await isRefused(template, { name: sql, sql, why: 'writers write rows' })
  })
})
