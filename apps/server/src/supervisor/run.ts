import { readConfig, type Config } from '../platform/config.ts'
import { runRole } from './run-role.ts'
import { findSentence } from './sentence.ts'
import { supervise } from './supervise.ts'

export async function run(): Promise<void> {
  let config: Config | undefined
  try {
    config = readConfig()
    if (config.role !== 'all') return await runRole(config.role, config)
    await supervise(config)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${findSentence(error, config) ?? describe(error)}\n`)
    process.exit(1)
  }
}

function describe(error: unknown): string {
  return `Trellis could not start. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
