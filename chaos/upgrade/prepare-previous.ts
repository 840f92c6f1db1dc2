import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { signInForBench } from '../../bench/sign-in.ts'
import type { makeWorkspace } from '../../bench/workspace.ts'

/** Makes a workspace and a profile by the previous version's own code, in a process of its own. */
const [root = '', url = ''] = process.argv.slice(2)
const load = async (path: string) => (await import(pathToFileURL(join(root, path)).href)) as object
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('TRELLIS_')))

interface PreviousCode {
  readonly makeWorkspace: typeof makeWorkspace
  readonly signInForBench: typeof signInForBench
}

const previous = { ...(await load('bench/workspace.ts')), ...(await load('bench/sign-in.ts')) } as PreviousCode
const { accountId, workspace, database, close } = await previous.makeWorkspace(env as Record<string, string>, 'chaos')
await previous.signInForBench(url, env['TRELLIS_DATABASE_URL'] ?? '')
process.stdout.write(`\n${JSON.stringify({ accountId, workspaceId: workspace.id, database: database.database })}\n`)
await close()
process.exit(0)
