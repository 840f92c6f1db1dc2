import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ADMIN = join(import.meta.dirname, '../apps/server/src/admin/main.ts')

export async function runAdmin(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [ADMIN, ...args], { env: { ...process.env, ...env }, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`trellis admin ${args.join(' ')} ended with ${code}.`)
}
