/** What the global set-up started, as the tests in other processes are told. */
export interface Environment {
  /** The product as `npm start` gives it. */
  url: string
  /** The same product with single sign-on and error reporting set up, and with its rate limits on. */
  connectedUrl: string
  /** The identity provider it signs people in with. */
  issuer: string
  /** Stands in for HubSpot and Shopify. */
  platformsUrl: string
  /** Stands in for the error-reporting service; GET answers with what arrived. */
  reportsUrl: string
  /** The control database, for what no screen can make yet. */
  databaseUrl: string
}

const NAME = 'TRELLIS_E2E'

export function publishEnvironment(environment: Environment): void {
  process.env[NAME] = JSON.stringify(environment)
}

export function getEnvironment(): Environment {
  const text = process.env[NAME]
  if (text === undefined) throw new Error('The product is not running: start the tests with `npm run e2e`.')
  return JSON.parse(text) as Environment
}
