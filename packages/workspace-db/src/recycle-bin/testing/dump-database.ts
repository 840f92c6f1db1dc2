import { runPgDump } from '../../move/run-pg-dump.ts'
import { testClusterUrl } from '../../testing.ts'

export async function dumpDatabase(database: string): Promise<string> {
  const url = new URL(testClusterUrl())
  url.pathname = `/${database}`
  return await runPgDump({ connectionString: url.href }, ['--exclude-schema=trellis*', '--exclude-schema=public'])
}
