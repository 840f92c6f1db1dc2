import { createConfig, lintFromString } from '@redocly/openapi-core'

/** Some addresses of the specification end with a slash. */
const RULES = { 'no-path-trailing-slash': 'off' } as const

export async function lintOpenapi(path: string, source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: RULES })
  const problems = await lintFromString({ source, absoluteRef: path, config })
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location }) => `${message} (${location[0]?.pointer ?? path})`)
}
