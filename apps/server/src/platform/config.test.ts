import { expect, test } from 'vitest'
import { ConfigProblem, readConfig } from './config.ts'

test('nothing has to be set', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    role: 'all',
    port: 4600,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:4600',
    isHttps: false,
    isDemo: true,
    hasRateLimits: true,
    allowPrivateHosts: false,
  })
})

test.each([
  [{ TRELLIS_PORT: 'eighty' }, 'TRELLIS_PORT'],
  [{ TRELLIS_PORT: '70000' }, 'TRELLIS_PORT'],
  [{ TRELLIS_ROLE: 'both' }, 'TRELLIS_ROLE'],
  [{ TRELLIS_ROLE: 'worker' }, 'TRELLIS_DATABASE_URL'],
  [{ TRELLIS_DATABASE_URL: 'mysql://somewhere/db' }, 'TRELLIS_DATABASE_URL'],
  [{ TRELLIS_CLUSTER_URL: 'somewhere' }, 'TRELLIS_CLUSTER_URL'],
  [{ TRELLIS_CLUSTER_REPLICA_URL: 'postgres://u:p@replica/postgres' }, 'TRELLIS_CLUSTER_URL must be set as well'],
  [{ TRELLIS_DATABASE_DIRECT_URL: 'postgres://u:p@h/db' }, 'TRELLIS_DATABASE_URL'],
  [{ TRELLIS_DATABASE_OWNER_URL: 'postgres://u:p@h/db' }, 'TRELLIS_DATABASE_URL'],
  [
    { TRELLIS_DATABASE_URL: 'postgres://u:p@a:5432,b/db?target_session_attrs=standby' },
    'TRELLIS_DATABASE_URL is not valid: must not have target_session_attrs=standby',
  ],
  [{ TRELLIS_CLUSTER_URL: 'postgres://u:p@a,,b/db' }, 'TRELLIS_CLUSTER_URL is not valid: must look like'],
  [{ TRELLIS_PUBLIC_URL: 'trellis.example.com' }, 'TRELLIS_PUBLIC_URL'],
  [{ TRELLIS_SMTP_URL: 'mail.example.com:25' }, 'TRELLIS_SMTP_URL'],
  [{ TRELLIS_LOG_LEVEL: 'loud' }, 'TRELLIS_LOG_LEVEL'],
  [{ TRELLIS_ALLOW_PRIVATE_HOSTS: 'yes' }, 'TRELLIS_ALLOW_PRIVATE_HOSTS'],
  [{ TRELLIS_OIDC_ISSUER: 'https://id.example.com' }, 'TRELLIS_OIDC_CLIENT_ID'],
  [{ TRELLIS_S3_BUCKET: 'b', TRELLIS_S3_ACCESS_KEY_ID: 'k' }, 'TRELLIS_S3_SECRET_ACCESS_KEY'],
  [{ TRELLIS_METRICS_TOKEN: 'short' }, 'TRELLIS_METRICS_TOKEN'],
  [{ TRELLIS_DATABASE_POOL: '1' }, 'TRELLIS_DATABASE_POOL'],
])('%o is refused by name', (env, name) => {
  expect(() => readConfig(env)).toThrow(ConfigProblem)
  expect(() => readConfig(env)).toThrow(new RegExp(`${name}.*\\.$`))
})

test('the demo is off where other machines can reach it, unless it is asked for', () => {
  expect(readConfig({ TRELLIS_HOST: '0.0.0.0' }).isDemo).toBe(false)
  expect(readConfig({ TRELLIS_HOST: '0.0.0.0', TRELLIS_DEMO: 'on' }).isDemo).toBe(true)
  expect(readConfig({ TRELLIS_DEMO: 'off' }).isDemo).toBe(false)
  expect(readConfig({ TRELLIS_PUBLIC_URL: 'https://trellis.example.com' }).isDemo).toBe(false)
})

test('without an address past a pooler, the one of the database is direct', () => {
  const url = 'postgres://u:p@pooler/db'
  expect(readConfig({ TRELLIS_DATABASE_URL: url })).toMatchObject({ databaseDirectUrl: url, isPooled: false })
  const direct = 'postgres://u:p@server/db'
  const both = { TRELLIS_DATABASE_URL: url, TRELLIS_DATABASE_DIRECT_URL: direct }
  expect(readConfig(both)).toMatchObject({ databaseUrl: url, databaseDirectUrl: direct, isPooled: true })
})

test('an empty value counts as not set', () => {
  expect(readConfig({ TRELLIS_SMTP_URL: '' }).smtpUrl).toBeUndefined()
})
