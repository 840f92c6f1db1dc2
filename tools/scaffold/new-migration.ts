import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NameProblem, checkMigrationName } from './names.ts'
import { nextMigration } from './next-migration.ts'

const root = resolve(import.meta.dirname, '../..')

try {
  const [name] = process.argv.slice(2)
  if (!name) throw new NameProblem('Say what the migration does: npm run new:migration -- add-schedules')
  const path = nextMigration(root, checkMigrationName(name))
  writeFileSync(join(root, path), readFileSync(join(import.meta.dirname, 'templates/migration.sql.tmpl'), 'utf8'), {
    flag: 'wx',
  })
  console.log(`new      ${path}`)
  console.log(
    'Write the SQL, then the columns into packages/control-db/src/tables/. It runs at the next start, in one transaction.',
  )
} catch (error) {
  if (!(error instanceof NameProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
