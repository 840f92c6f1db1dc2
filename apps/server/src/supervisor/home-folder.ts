import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asStartProblem } from '@trellis/embedded/postgres/start-problem'

/**
 * The data folder, made when missing. Started by root, it must let the database's own user pass through to its part;
 * keys and logs lie in folders that are closed themselves.
 */
export function openHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 })
    mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 })
    if (process.getuid?.() === 0) chmodSync(home, statSync(home).mode | 0o011)
    accessSync(home, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw asStartProblem(error, home)
  }
}
