import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestFlows, testFlows } from '../../server/src/modules/dataflows/testing/flows.ts'
import { type TestApp, startTestApp } from '../../server/src/testing/test-app.ts'
import { runCli } from './run-cli.ts'

let app: TestApp
let flows: TestFlows
let home: string
let secret: string
let env: Record<string, string>

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, hasWorker: true })
  flows = await testFlows(app)
  home = await mkdtemp(join(tmpdir(), 'trellis-cli-'))
  const body = { name: 'cli', scopes: ['read', 'write', 'run'], days: 1 }
  secret = (await flows.workspace.account.owner.call(createAccessToken, { body })).data.secret
})
afterAll(async () => {
  await flows.workspace.remove()
  await app.close()
  await rm(home, { recursive: true })
})
beforeEach(() => {
  const { account_trellis_code, workspace_address } = flows.workspace.tenant
  env = {
    TRELLIS_URL: app.url,
    TRELLIS_TOKEN: secret,
    TRELLIS_WORKSPACE: `${account_trellis_code}/${workspace_address}`,
    TRELLIS_CONFIG: join(home, 'cli.json'),
  }
})

async function trellis(...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(argv, { env, print: (line) => void out.push(line), say: (line) => void err.push(line) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const file = (name: string) => join(home, name)
const YAML = `trellis: dataflow
version: 1
name: From a file
blocks:
  make:
    kind: Transformation
    name: Make
    integration: workspace database
    at: [0, 0]
    settings:
      code: |
        create table if not exists made (n int);
        insert into made values (1);
  then:
    kind: Transformation
    name: Then
    integration: workspace database
    at: [300, 0]
    trigger:
      any:
        - after: make
    settings:
      code: insert into made values (2)
`

test('signing in tries the token, keeps it privately and is enough from then on', async () => {
  const { TRELLIS_URL, TRELLIS_TOKEN, TRELLIS_WORKSPACE, TRELLIS_CONFIG = '' } = env
  env = { TRELLIS_CONFIG }
  expect(await trellis('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('trellis login') as string })
  const wrong = await trellis('login', '--url', TRELLIS_URL ?? '', '--token', `trl_pat_${'x'.repeat(43)}`)
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('Make a new one') as string })
  await expect(stat(TRELLIS_CONFIG)).rejects.toThrow('ENOENT')
  const typed = ['--url', `${TRELLIS_URL}/`, '--token', TRELLIS_TOKEN ?? '', '-w', TRELLIS_WORKSPACE ?? '']
  expect((await trellis('login', ...typed)).code).toBe(0)
  expect((await stat(TRELLIS_CONFIG)).mode & 0o777).toBe(0o600)
  expect((await trellis('flows')).code).toBe(0)
  expect((await trellis('workspaces')).out).toContain(TRELLIS_WORKSPACE)
  await chmod(TRELLIS_CONFIG, 0o644)
  expect(await trellis('flows')).toMatchObject({ code: 2, err: expect.stringContaining('chmod 600') as string })
  await rm(TRELLIS_CONFIG)
})

test('a token that is kept goes to no other address, and nothing that is sent is carried on to one', async () => {
  const { TRELLIS_URL = '', TRELLIS_TOKEN = '', TRELLIS_WORKSPACE = '', TRELLIS_CONFIG = '' } = env
  const seen: (string | undefined)[] = []
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(307, { location: `${TRELLIS_URL}${request.url ?? ''}` }).end('{}')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  env = { TRELLIS_CONFIG }
  await trellis('login', '--url', TRELLIS_URL, '--token', TRELLIS_TOKEN, '-w', TRELLIS_WORKSPACE)
  env = { TRELLIS_CONFIG, TRELLIS_URL: elsewhere }
  expect((await trellis('flows')).code).toBe(2)
  expect(seen).toEqual([])
  const sent = await trellis('flows', '--token', TRELLIS_TOKEN)
  expect(sent).toMatchObject({ code: 1, err: expect.stringContaining(`sends on to ${TRELLIS_URL}`) as string })
  expect(seen).toHaveLength(1)
  other.close()
  await rm(TRELLIS_CONFIG)
})

test('what others wrote can not steer the terminal', async () => {
  const evil = '\u001b]0;owned\u0007\u009b31mred'
  await flows.dataflow('Harmless')
  // Names like this are refused now, but may exist from earlier versions or other servers.
  await app.database.pool.query('update dataflows set name = $1 where name = $2', [evil, 'Harmless'])
  const { out } = await trellis('flows')
  expect(out).toContain('owned')
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  const names = JSON.parse((await trellis('flows', '--json')).out) as { name: string }[]
  expect(names.map(({ name }) => name)).toContain(evil)
})

test('a file is tried, applied, published, run and followed; the same file changes nothing', async () => {
  await writeFile(file('flow.yaml'), YAML)
  const diff = await trellis('diff', file('flow.yaml'))
  expect(diff).toMatchObject({ code: 3, out: '+ Dataflow "From a file"\n+ Block "Make"\n+ Block "Then"' })
  const applied = await trellis('apply', file('flow.yaml'), '--publish')
  expect(applied).toMatchObject({ code: 0, err: 'Applied: 3 changes.\n"Make" is published.\n"Then" is published.' })
  expect(await trellis('diff', file('flow.yaml'))).toMatchObject({ code: 0, out: '', err: 'No changes.' })
  expect((await trellis('flows')).out).toContain('From a file')

  const shadow = await trellis('run', 'From a file', 'make', '--shadow')
  expect(shadow).toMatchObject({ code: 1, err: expect.stringContaining('can be compared') as string })
  const run = await trellis('run', 'From a file', 'make', '--from-here', '--follow')
  expect(run).toMatchObject({ code: 0, err: 'Make: SUCCESS' })
  expect(run.out).toContain('INSERT: one row')
  await expect
    .poll(async () => (await trellis('runs', 'From a file', '--blocks', '--status', 'success')).out, {
      timeout: 30_000,
    })
    .toContain('Then')
  expect(await flows.workspace.sql('select n from data.made order by 1')).toEqual([['1'], ['2']])
  const [runCode = ''] = run.out.split('\n')
  expect((await trellis('logs', runCode, '--level', 'ERROR')).out).toBe('')
  expect(JSON.parse((await trellis('runs', 'From a file', '--blocks', '--json')).out)).toHaveLength(2)
  const flowRuns = JSON.parse((await trellis('runs', 'From a file', '--json')).out) as {
    flow_run_trellis_code: string
  }[]
  expect(flowRuns).toHaveLength(1)
  expect((await trellis('runs', 'From a file', '--status', 'success')).out).toContain('2 of 2 blocks')
  expect(await trellis('runs', 'From a file', '--status', 'odd')).toMatchObject({ code: 2 })
  // A finished flow run must be refused, not looked up as a block run.
  expect((await trellis('cancel', flowRuns[0]?.flow_run_trellis_code ?? '')).code).toBe(1)
  expect((await trellis('cancel', runCode)).code).toBe(1)

  expect((await trellis('export', 'From a file', '-o', file('out.yaml'))).code).toBe(0)
  expect(await trellis('diff', file('out.yaml'))).toMatchObject({ code: 0 })
})

test('an option typed without its dashes runs nothing', async () => {
  expect(await trellis('run', 'From a file', 'Make', 'full')).toMatchObject({
    code: 2,
    err: '"full" is one argument too many. See: trellis help run',
  })
})

test('a run that fails fails the command and says why', async () => {
  await writeFile(file('bad.yaml'), YAML.replace('From a file', 'Bad').replace('values (1);', 'values (wrong);'))
  await trellis('apply', file('bad.yaml'), '--publish')
  const run = await trellis('run', 'Bad', 'Make', '-f')
  expect(run).toMatchObject({
    code: 1,
    err: expect.stringContaining('Make: FAILED. column "wrong" does not exist (line 2') as string,
  })
})

test('a whole dataflow is run and waited for; the exit code is that of the flow run', async () => {
  await writeFile(file('whole.yaml'), YAML.replace('From a file', 'Whole'))
  await trellis('apply', file('whole.yaml'), '--publish')
  const good = await trellis('run', 'Whole', '--wait')
  expect(good).toMatchObject({ code: 0, err: expect.stringContaining('Whole: succeeded, 2 of 2 blocks') as string })
  const json = JSON.parse((await trellis('run', 'Whole', '--wait', '--json')).out) as unknown
  expect(json).toMatchObject({ state: 'succeeded', progress: { done: 2, total: 2 } })
  const block = JSON.parse((await trellis('run', 'Whole', 'Make', '--wait', '--json')).out) as unknown
  expect(block).toMatchObject({ block_name: 'Make', status: 'SUCCESS' })
  const followed = await trellis('run', 'Whole', '-f')
  expect(followed.code).toBe(0)
  expect(followed.out).toMatch(/INFO +Make: /)
  expect(followed.out).toMatch(/INFO +Then: /)
  await writeFile(file('whole.yaml'), YAML.replace('From a file', 'Whole').replace('values (2)', 'values (wrong)'))
  await trellis('apply', file('whole.yaml'), '--publish')
  const bad = await trellis('run', 'Whole', 'Make', '--from-here', '--wait')
  expect(bad.code).toBe(1)
  expect(bad.err).toContain('Whole: failed, 1 of 2 blocks')
  expect(bad.err).toContain('Then: FAILED. column "wrong" does not exist')
})

test('the log of a flow run is one stream of its blocks; a paused one says what to do and has an exit code of its own', async () => {
  await writeFile(file('paused.yaml'), YAML.replace('From a file', 'Paused').replace('values (2)', 'values (wrong)'))
  await trellis('apply', file('paused.yaml'), '--publish')
  const [code = ''] = (await trellis('run', 'Paused', '--wait')).out.split('\n')
  const log = await trellis('logs', code)
  expect(log).toMatchObject({ code: 0, err: '' })
  expect(log.out).toMatch(/INFO +Make: /)
  expect((await trellis('logs', code, '--level', 'ERROR')).out).toMatch(/^\S+ ERROR +Then: column "wrong" [^\n]+$/)
  expect((await trellis('logs', code, '-f')).code).toBe(1)
  for (const command of ['logs', 'cancel', 'retry']) {
    const missing = await trellis(command, 'nothing')
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('There is no run "nothing"') as string })
  }
  const changes = [{ id: 'add:x', in_words: 'The source has a new column x.', if_kept: 'x is left out.' }]
  const { rows } = await app.database.pool.query<{ code: string }>(
    `update task_runs set problem = problem || $2::jsonb where status = 'FAILED'
        and flow_run_id = (select id from flow_runs where trellis_code = $1) returning trellis_code as code`,
    [code, JSON.stringify({ kind: 'schema_changed', question: { changes, can_keep: true, decision: null } })],
  )
  const run = rows[0]?.code ?? ''
  const paused = await trellis('logs', code, '-f')
  expect(paused.code).toBe(4)
  expect(paused.err).toContain('Paused: needs decision, 1 of 2 blocks')
  expect(paused.err).toContain('The source has a new column x. Kept as it is: x is left out.')
  expect(paused.err).toContain(`trellis decide ${run} accept|keep`)
  expect(paused.err).toContain(`/logs/${code}`)
  expect((await trellis('logs', run, '-f')).code).toBe(4)
  expect((await trellis('runs', 'Paused', '--status', 'paused')).out).toContain(code)
  expect((await trellis('runs', 'Paused', '--blocks')).out).toMatch(/ Then +NEEDS_DECISION /)
  expect((await trellis('flows')).out).toMatch(/^Paused +\S+ +NEEDS_DECISION /m)
  expect((await trellis('decide', run, 'perhaps')).code).toBe(2)
  expect(await trellis('decide', run, 'keep', '--wait')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Paused: failed') as string,
  })
  expect((await trellis('decide', run, 'keep')).code).toBe(1)
})

test('a block keeps its key through renames, a changed key is named, and nothing is deleted without --prune', async () => {
  const yaml = YAML.replace('From a file', 'Keys')
  await writeFile(file('keys.yaml'), yaml)
  await trellis('apply', file('keys.yaml'), '--publish')
  await writeFile(file('keys.yaml'), yaml.replace('name: Make', 'name: Make rows'))
  expect(await trellis('apply', file('keys.yaml'))).toMatchObject({ code: 0, out: '~ Block "Make": name' })

  const renamed = yaml
    .replace('name: Make', 'name: Make rows')
    .replace('  make:', '  rows:')
    .replace('after: make', 'after: rows')
  await writeFile(file('keys.yaml'), renamed)
  const refused = await trellis('apply', file('keys.yaml'))
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('add "moved: { make: rows }"') as string })
  await writeFile(file('keys.yaml'), `${renamed}moved:\n  make: rows\n`)
  expect(await trellis('apply', file('keys.yaml'))).toMatchObject({ code: 0, out: '> Block "Make rows": make → rows' })
  expect(await trellis('apply', file('keys.yaml'))).toMatchObject({ code: 0, out: '', err: 'No changes.' })

  const alone = renamed.slice(0, renamed.indexOf('  then:'))
  await writeFile(file('keys.yaml'), alone)
  const kept = 'Block "Then" is not in the file and stays. --prune deletes it.'
  expect(await trellis('apply', file('keys.yaml'))).toMatchObject({ code: 0, out: '', err: `${kept}\nNo changes.` })
  expect((await trellis('export', 'Keys')).out).toContain('  then:')
  expect(await trellis('apply', file('keys.yaml'), '--prune')).toMatchObject({ code: 0, out: '- Block "Then"' })
  expect((await trellis('export', 'Keys')).out).not.toContain('  then:')
})

test('watch applies the file after each save, and goes on after one that is refused', async () => {
  const watched = file('watched.yaml')
  const short = YAML.replace('From a file', 'Watched').replaceAll(/ +at: .*\n/g, '')
  await writeFile(watched, short)
  const [out, err]: [string[], string[]] = [[], []]
  const stop = new AbortController()
  const code = runCli(['watch', watched, '--apply'], {
    env,
    print: (line) => void out.push(line),
    say: (line) => void err.push(line),
    signal: stop.signal,
  })
  const until = async (lines: readonly string[], wanted: string) =>
    await vi.waitFor(() => expect(lines).toContain(wanted), { timeout: 20_000 })
  await until(out, '+ Block "Then"')
  await writeFile(watched, short.replace('after: make', 'after: gone'))
  await vi.waitFor(() => expect(out.join()).toContain('There is no block "gone"'), { timeout: 20_000 })
  await writeFile(watched, short.replace('name: Then', 'name: Afterwards'))
  await until(out, '~ Block "Then": name')
  stop.abort()
  expect(await code).toBe(0)
  expect(await trellis('apply', watched)).toMatchObject({ code: 0, out: '', err: 'No changes.' })
})

test('what is missing or wrong in a file is told by line and nothing is changed', async () => {
  const needs = YAML.replace('From a file', 'Needs').replace(
    'integration: workspace database',
    'integration: { platform: webhook, name: Hook }',
  )
  await writeFile(file('needs.yaml'), needs)
  const refused = await trellis('apply', file('needs.yaml'))
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/needs\.yaml:8: "Make" needs the connection "Hook"/) as string,
  })
  expect((await trellis('flows')).out).not.toContain('Needs')
  expect(await trellis('apply', file('needs.yaml'), '--allow-missing', '--publish')).toMatchObject({ code: 1 })
  await writeFile(file('broken.yaml'), 'a: [')
  expect(await trellis('apply', file('broken.yaml'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('broken.yaml:1') as string,
  })
})

test.each([
  [[], 2],
  [['help'], 0],
  [['help', 'apply'], 0],
  [['apply', '--help'], 0],
  [['help', 'fly'], 2],
  [['--version'], 0],
  [['fly'], 2],
  [['flows', '--nonsense'], 2],
  [['export'], 2],
  [['export', 'no such flow'], 1],
  [['run', 'From a file', 'Make', '--window', 'yesterday'], 2],
  [['run', 'From a file', '--shadow'], 2],
  [['run', 'From a file', '--window', '2026-01-01..2026-01-31'], 2],
  [['run', 'From a file', '--full'], 2],
  [['diff', '/no/such/file'], 2],
  [['flows', '--workspace', 'nothing'], 2],
  [['flows', '--url', 'http://127.0.0.1:1'], 1],
])('%j ends with %i', async (argv, code) => {
  expect((await trellis(...argv)).code).toBe(code)
})

test('the help names every command of the program', async () => {
  const help = (await trellis('help')).out
  const source = await readFile(new URL('./run-cli.ts', import.meta.url), 'utf8')
  for (const [, name] of source.matchAll(/^ {2}(\w+): [a-z][\w()]*,$/gm))
    expect(help).toContain(`trellis ${name ?? ''}`)
})
