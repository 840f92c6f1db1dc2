import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from './config.ts'
import { renderMetrics } from './metrics.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const rules = (parse(read('deploy/prometheus/trellis.rules.yml')) as Rules).groups.flatMap((group) => group.rules)
const panels = (JSON.parse(read('deploy/grafana/trellis.json')) as Dashboard).panels

test('every setting in deploy/ exists', () => {
  const known = new Set(read('apps/server/src/platform/config.ts').match(/\bTRELLIS_[A-Z0-9_]+(?=:)/g))
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/TRELLIS_[A-Z0-9_]+/g)].map(([name]) => ({ file, name })),
  )
  expect(new Set(named.map(({ file }) => file)).size).toBeGreaterThan(4)
  expect(named.filter(({ name }) => !known.has(name))).toEqual([])
})

test('every metric in rules and dashboard is exported', async () => {
  const { body } = await renderMetrics()
  const exported = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1] ?? ''))
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap((panel) => panel.targets.map(({ expr }) => expr)),
  ]
  const named = expressions.flatMap((expr) => expr.match(/\b(?:trellis|process|nodejs)_\w+/g) ?? [])
  expect(new Set(named).size).toBeGreaterThan(8)
  expect(
    named.filter((name) => !exported.has(name.replace(/_(bucket|count|sum)$/, '')) && !exported.has(name)),
  ).toEqual([])
})

test('ports and health paths are those of the product', () => {
  const { port } = readConfig({})
  const container = read('deploy/Containerfile')
  expect(container).toContain(`TRELLIS_PORT=${port}`)
  expect(container).toContain(`EXPOSE ${port}`)
  expect(read('deploy/prometheus/prometheus.yml')).toContain(`127.0.0.1:${port}`)
  const health = read('apps/server/src/http/health.ts')
  const paths = files.flatMap((file) =>
    [...read(file).matchAll(/\/(?:healthz|readyz|metrics)\b/g)].map(([path]) => path),
  )
  expect(new Set(paths)).toEqual(new Set(['/readyz', '/metrics', '/healthz']))
  for (const path of paths) expect(health).toContain(`'${path}'`)
})

test('what is started is in the repository', () => {
  const programs = files.flatMap((file) => [...read(file).matchAll(/\bapps\/[\w/.-]+\.ts\b/g)].map(([path]) => path))
  expect(programs.length).toBeGreaterThan(4)
  for (const path of new Set(programs)) expect(read(path)).not.toBe('')
})

test('the command of an installation uses the data folder and the settings of its service', () => {
  const [command, unit, image] = ['trellis', 'systemd/trellis.service', 'Containerfile'].map((name) =>
    read(`deploy/${name}`),
  )
  const home = /TRELLIS_HOME=(\S+)/.exec(unit ?? '')?.[1] ?? 'none'
  expect(command).toContain(`TRELLIS_HOME:-${home}}`)
  expect(command).toContain(`settings=${/EnvironmentFile=-(\S+)/.exec(unit ?? '')?.[1]}`)
  expect(image).toContain('COPY deploy/trellis ')
  expect(read('.dockerignore')).toContain('\n!deploy/trellis\n')
})

interface Service {
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>>
}

test('the processes of the compose file take their settings and wait for the tables', () => {
  const text = read('deploy/compose.yml')
    .replaceAll(/\$\{([A-Z0-9_]+):\?[^}]+\}/g, (_, name: string) =>
      name === 'PUBLIC_URL' ? 'https://trellis.example.com' : 'abc123',
    )
    .replaceAll(/\$\{[A-Z_]+:-\}/g, '')
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }
  const configs = ['migrate', 'api', 'worker'].map((name) => readConfig(services[name]?.environment))
  for (const { s3, clusterUrl, rootKey, databaseUrl } of configs) {
    expect(s3).toMatchObject({ bucket: 'trellis', endpoint: 'http://s3:9000' })
    expect([clusterUrl, rootKey, databaseUrl]).not.toContain(undefined)
  }
  const [migrate, api, worker] = configs
  expect(new URL(migrate?.databaseOwnerUrl ?? '').username).toBe('trellis_owner')
  expect([api?.role, worker?.role]).toEqual(['api', 'worker'])
  expect(services['api']?.ports).toEqual([`127.0.0.1:${readConfig({}).port}:${readConfig({}).port}`])
  expect(worker?.workerPort).toBeDefined()
  for (const name of ['api', 'worker']) expect(services[name]?.depends_on).toHaveProperty('migrate')
  const logins = read('deploy/cluster/logins.sql')
  const variables = [...logins.matchAll(/^\\getenv \w+ (\w+)$/gm)].map(([, name = '']) => name)
  expect(variables).toHaveLength(3)
  for (const name of variables) expect(services['postgres']?.environment).toHaveProperty(name)
})

test('the cluster loses no confirmed commit, and a primary steps down before the next one is chosen', () => {
  const { bootstrap } = parse(read('deploy/cluster/patroni.yml')) as {
    bootstrap: { dcs: Record<'ttl' | 'loop_wait' | 'retry_timeout', number> & { synchronous_mode: boolean } }
  }
  const { ttl, loop_wait: loop, retry_timeout: retry, synchronous_mode: isSynchronous } = bootstrap.dcs
  expect(isSynchronous).toBe(true)
  expect(loop + 2 * retry).toBeLessThanOrEqual(ttl)
  expect(read('deploy/cluster/pgbouncer.ini')).toMatch(/^pool_mode = transaction$/m)
  expect(read('deploy/cluster/haproxy.cfg')).toMatch(/option httpchk OPTIONS \/primary$/m)
})
