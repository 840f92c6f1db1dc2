import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { superuser } from '@trellis/embedded/postgres/init-cluster'
import { openServerFolder } from '@trellis/embedded/postgres/server-folder'

const root = join(import.meta.dirname, '..', '..')
const START_PATIENCE = 180_000
const STOP_PATIENCE = 30_000

export interface Product {
  url: string
  output(): string
  stop(): Promise<void>
}

interface Settings {
  port: number
  home: string
  settings?: Record<string, string>
}

async function start(
  { port, home, settings = {} }: Settings,
  isReady: (output: string) => Promise<boolean>,
): Promise<Product> {
  const url = `http://localhost:${port}`
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('TRELLIS_'))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'], {
    cwd: root,
    // The IPC channel closes with this process, and the product exits with it.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...Object.fromEntries(kept), TRELLIS_HOME: home, TRELLIS_PORT: String(port), ...settings },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const until = Date.now() + START_PATIENCE
  while (!(await isReady(output))) {
    if (child.exitCode !== null || Date.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`The product did not start:\n${output.slice(-4000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, output: () => output, stop: () => end(child) }
}

export async function startProduct(settings: Settings): Promise<Product> {
  return await start(settings, async (output) => output.includes('Trellis is ready'))
}

export async function startApi(settings: Settings): Promise<Product> {
  const address = `http://127.0.0.1:${settings.port}/readyz`
  return await start({ ...settings, settings: { ...settings.settings, TRELLIS_ROLE: 'api' } }, async () =>
    fetch(address).then(
      (response) => response.ok,
      () => false,
    ),
  )
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`The product ended by itself with code ${child.exitCode}.`)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE)
  const code = await ended
  clearTimeout(timer)
  if (code !== 0)
    throw new Error(`The product did not stop cleanly: ${code === null ? 'it had to be killed' : `code ${code}`}.`)
}

export function readDatabaseUrl(home: string): string {
  const folder = openServerFolder(join(home, 'postgres'), () => undefined)
  const read = (file: string) => readFileSync(file, 'utf8').trim()
  return `postgres://${superuser}:${read(folder.passwordFile)}@127.0.0.1:${read(folder.portFile)}/trellis`
}

/** Log lines that report internal errors. */
export function faultsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) || /stopped unexpectedly|^\s+at .+:\d+:\d+\)?$/.test(line))
}
