import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClient } from '@trellis/control-db/connect'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { buildWeb } from './build-web.ts'
import { getChromium } from './chromium.ts'
import { publishEnvironment } from './environment.ts'
import { startIdentityProvider } from './identity-provider.ts'
import { startLocalPlatforms } from './platforms/local-platforms.ts'
import { readDatabaseUrl, faultsIn, type Product, startApi, startProduct } from './product.ts'
import { startReports } from './reports.ts'

/** Fails the run when the product's log has errors. */
export default async function setUp(): Promise<() => Promise<void>> {
  getChromium()
  await buildWeb()
  const home = await mkdtemp(join(tmpdir(), 'trellis-e2e-'))
  const platforms = await startLocalPlatforms(await findFreePort())
  const product = await startProduct({
    port: await findFreePort(),
    home,
    settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', ...platforms.settings },
  })
  const databaseUrl = readDatabaseUrl(home)
  const port = await findFreePort()
  const [provider, reports] = await Promise.all([
    startIdentityProvider(await findFreePort(), `http://localhost:${port}/sso/callback`),
    startReports(await findFreePort()),
  ])
  const connected = await startApi({
    port,
    home,
    settings: {
      TRELLIS_DATABASE_URL: await createOrdinaryLogin(databaseUrl),
      TRELLIS_CLUSTER_URL: databaseUrl,
      TRELLIS_OIDC_ISSUER: provider.url,
      TRELLIS_OIDC_CLIENT_ID: provider.clientId,
      TRELLIS_OIDC_CLIENT_SECRET: provider.clientSecret,
      TRELLIS_OIDC_NAME: 'Acme ID',
      TRELLIS_REPORT_DSN: reports.dsn,
      TRELLIS_ALLOW_PRIVATE_HOSTS: 'on',
    },
  })
  publishEnvironment({
    url: product.url,
    connectedUrl: connected.url,
    issuer: provider.url,
    platformsUrl: platforms.url,
    reportsUrl: reports.url,
    databaseUrl,
  })
  return async () => {
    await Promise.all([provider.stop(), reports.stop(), platforms.stop()])
    await connected.stop()
    await product.stop()
    await rm(home, { recursive: true, force: true })
    assertQuiet([product, connected])
  }
}

/** The password that the first process created for the application's login is unknown here. */
async function createOrdinaryLogin(adminUrl: string): Promise<string> {
  const url = Object.assign(new URL(adminUrl), { username: 'e2e_app', password: 'for-journeys-only' })
  await withClient({ connectionString: adminUrl }, async (admin) => {
    await admin.query(`create role ${url.username} login password '${url.password}' in role trellis_app`)
  })
  return url.href
}

function assertQuiet(products: readonly Product[]): void {
  const faults = products.flatMap((product) => faultsIn(product.output()))
  if (faults.length > 0) throw new Error(`The server wrote errors to its log:\n${faults.slice(0, 20).join('\n')}`)
}
