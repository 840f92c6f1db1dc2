export interface Environment {
  url: string
  /** With single sign-on, error reporting and rate limits. */
  connectedUrl: string
  issuer: string
  platformsUrl: string
  reportsUrl: string
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
