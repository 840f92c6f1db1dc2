import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { asStartProblem } from '@trellis/embedded/postgres/start-problem'

/** The data folder, made when missing. Open to pass through, because the database user of a root start must get to its own part. */
export function openHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 })
    mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 })
    accessSync(home, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw asStartProblem(error, home)
  }
}
