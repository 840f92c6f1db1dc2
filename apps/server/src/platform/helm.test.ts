import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from './config.ts'

const CHART = join(import.meta.dirname, '../../../../deploy/helm')
const helm = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'helm'))
  .find((path) => existsSync(path))

interface Container {
  readonly image: string
  readonly command?: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[]
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly mountPath: string }[]
  readonly [probe: string]: unknown
}
interface Pod {
  readonly securityContext: object
  readonly automountServiceAccountToken: boolean
  readonly containers: readonly [Container]
}
interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly stringData?: Readonly<Record<string, string>>
  readonly spec?: { readonly template?: { readonly spec: Pod }; readonly [field: string]: unknown }
}

const VALUES = {
  publicUrl: 'https://trellis.example.com',
  s3: { bucket: 'trellis', endpoint: 'http://s3:9000' },
  secrets: {
    values: {
      TRELLIS_DATABASE_URL: 'postgres://trellis_app:a@db/trellis',
      TRELLIS_CLUSTER_URL: 'postgres://trellis_admin:b@db/postgres',
      TRELLIS_ROOT_KEY: 'abc',
      TRELLIS_S3_ACCESS_KEY_ID: 'id',
      TRELLIS_S3_SECRET_ACCESS_KEY: 'secret',
    },
  },
  owner: { url: 'postgres://trellis_owner:c@db/trellis' },
}

const runHelm = (values: object) =>
  execFileSync(helm ?? '', ['template', 'trellis', CHART, '--namespace', 'data', '-f', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
    stdio: 'pipe',
  })

const render = (values: object = VALUES) =>
  parseAllDocuments(runHelm(values)).flatMap((document) => {
    const resource = document.toJS() as Resource | null
    return resource ? [resource] : []
  })

function find(resources: readonly Resource[], kind: string, name: string): Resource {
  const foundResource = resources.find((resource) => resource.kind === kind && resource.metadata.name === name)
  if (!foundResource) throw new Error(`There is no ${kind} ${name}.`)
  return foundResource
}

function getPod(resources: readonly Resource[], kind: string, name: string): Pod {
  const pod = find(resources, kind, name).spec?.template?.spec
  if (!pod) throw new Error(`${kind} ${name} has no pod.`)
  return pod
}

function readEnvironment(resources: readonly Resource[], { containers: [container] }: Pod) {
  const secrets = container.envFrom.map(({ secretRef }) => find(resources, 'Secret', secretRef.name).stringData ?? {})
  const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
  return Object.assign({}, ...secrets, own) as Record<string, string>
}

test('the chart asks for what has no default', () => {
  const { required, properties } = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as {
    required: string[]
    properties: Record<string, unknown>
  }
  const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<string, unknown>
  expect(required).toEqual(['publicUrl', 's3'])
  expect(Object.keys(values).filter((name) => !(name in properties))).toEqual([])
})

// Debian has no package of Helm; machines of GitHub have it.
describe.skipIf(!helm)('rendered by Helm', () => {
  test('every process takes its settings, and only the migrations own the tables', () => {
    const resources = render()
    const pods = [
      getPod(resources, 'Job', 'trellis-migrate'),
      getPod(resources, 'Deployment', 'trellis-api'),
      getPod(resources, 'Deployment', 'trellis-worker'),
    ]
    const environments = pods.map((pod) => readEnvironment(resources, pod))
    const [migrate, api, worker] = environments.map((environment) => readConfig(environment))
    for (const config of [migrate, api, worker]) {
      expect(config).toMatchObject({ publicUrl: VALUES.publicUrl, rootKey: 'abc', trustProxy: false })
      expect(config?.s3).toMatchObject({ bucket: 'trellis', endpoint: 'http://s3:9000', accessKeyId: 'id' })
    }
    expect([api?.role, worker?.role]).toEqual(['api', 'worker'])
    expect(new URL(migrate?.databaseOwnerUrl ?? '').username).toBe('trellis_owner')
    expect(environments.map((environment) => 'TRELLIS_DATABASE_OWNER_URL' in environment)).toEqual([true, false, false])
    expect(pods.map(({ containers: [{ ports }] }) => ports)).toEqual([
      undefined,
      [{ name: 'http', containerPort: api?.port }],
      [{ name: 'http', containerPort: worker?.workerPort }],
    ])
    expect(pods[0]?.containers[0].command).toEqual(['node', 'apps/server/src/admin/main.ts', 'migrate'])
  })

  test('no pod is root, writes its image or talks to Kubernetes, and each is probed', () => {
    const resources = render()
    const pods = resources.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []))
    expect(pods).toHaveLength(3)
    for (const { securityContext, automountServiceAccountToken, containers } of pods) {
      expect(automountServiceAccountToken).toBe(false)
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 })
      expect(containers[0].securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(containers[0].volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp', '/data'])
    }
    for (const name of ['trellis-api', 'trellis-worker']) {
      const { containers } = getPod(resources, 'Deployment', name)
      expect(containers[0]).toMatchObject({
        livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
        startupProbe: { httpGet: { path: '/healthz', port: 'http' } },
      })
      expect(find(resources, 'PodDisruptionBudget', name).spec).toMatchObject({ maxUnavailable: 1 })
    }
  })

  test('migrations run before the processes, with secrets that exist by then', () => {
    const hook = 'helm.sh/hook'
    const resources = render()
    const secrets = resources.filter(({ kind }) => kind === 'Secret')
    expect(secrets.map(({ metadata }) => [metadata.name, metadata.annotations?.[hook]])).toEqual([
      ['trellis', undefined],
      ['trellis-migrate', 'pre-install,pre-upgrade'],
    ])
    expect(find(resources, 'Job', 'trellis-migrate').metadata.annotations?.[hook]).toBe('pre-install,pre-upgrade')
    const existingResources = render({ ...VALUES, secrets: { existing: 'own' }, owner: { existing: 'owner' } })
    expect(existingResources.filter(({ kind }) => kind === 'Secret')).toEqual([])
    const named = (kind: string, name: string) =>
      getPod(existingResources, kind, name).containers[0].envFrom.map(({ secretRef }) => secretRef.name)
    expect(named('Job', 'trellis-migrate')).toEqual(['own', 'owner'])
    expect(named('Deployment', 'trellis-api')).toEqual(['own'])
  })

  test('an ingress is trusted as the proxy, and replicas are left to an autoscaler', () => {
    const resources = render({
      ...VALUES,
      ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' },
      worker: { autoscaling: { enabled: true } },
      settings: { TRELLIS_RUNS: 16 },
    })
    const config = readConfig(readEnvironment(resources, getPod(resources, 'Deployment', 'trellis-worker')))
    expect(config).toMatchObject({ trustProxy: true, runLimits: { total: 16 } })
    expect(find(resources, 'Ingress', 'trellis').spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['trellis.example.com'], secretName: 'tls' }],
      rules: [{ host: 'trellis.example.com' }],
    })
    expect(find(resources, 'Deployment', 'trellis-worker').spec).not.toHaveProperty('replicas')
    expect(find(resources, 'Deployment', 'trellis-api').spec).toMatchObject({ replicas: 2 })
    expect(find(resources, 'HorizontalPodAutoscaler', 'trellis-worker').spec).toMatchObject({ maxReplicas: 6 })
  })

  test.each([
    ['no bucket', { ...VALUES, s3: {} }, 'bucket'],
    ['no address', { ...VALUES, publicUrl: '' }, 'publicUrl'],
    ['no root key', { ...VALUES, secrets: { values: { TRELLIS_DATABASE_URL: 'postgres://db' } } }, 'TRELLIS_ROOT_KEY'],
    ['two places for secrets', { ...VALUES, secrets: { ...VALUES.secrets, existing: 'own' } }, 'secrets'],
    ['a misspelt value', { ...VALUES, workers: {} }, 'workers'],
    ['a setting of something else', { ...VALUES, settings: { PORT: 1 } }, 'PORT'],
  ])('%s is refused by name', (_, values, name) => {
    expect(() => runHelm(values)).toThrow(name)
  })
})
