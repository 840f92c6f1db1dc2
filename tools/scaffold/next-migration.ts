import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'packages/control-db/migrations'

export function nextMigration(root: string, name: string): string {
  const numbers = readdirSync(join(root, FOLDER)).flatMap((file) => /^(\d{4})-.*\.sql$/.exec(file)?.[1] ?? [])
  const next = Math.max(0, ...numbers.map(Number)) + 1
  return `${FOLDER}/${String(next).padStart(4, '0')}-${name}.sql`
}
