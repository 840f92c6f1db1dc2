import { type MigrationState, findMigrationState } from '@trellis/control-db/migrate'
import { type CheckResult, type StartCheck, fail, passCheck, warn } from './start-check.ts'

const INSUFFICIENT_PRIVILEGE = '42501'
const MIGRATE = 'Run: npm run -s trellis -- admin migrate'

export const checkMigrations: StartCheck = async ({ control }) => {
  try {
    return evaluateMigrations(await findMigrationState(control))
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    return fail('The login of TRELLIS_DATABASE_URL may not use the tables', MIGRATE)
  }
}

function evaluateMigrations({ applied, missing, changed, unknown }: MigrationState): CheckResult {
  if (changed.length > 0) {
    return fail(
      `Migrations were changed after they had been applied: ${changed.join(', ')}`,
      'Install this version of Trellis again, unchanged.',
    )
  }
  if (missing.length > 0) {
    const [first] = missing
    const which = missing.length === 1 ? `migration ${first} is` : `${missing.length} migrations from ${first} on are`
    return fail(`The tables are older than this version: ${which} missing`, MIGRATE)
  }
  if (unknown.length > 0) {
    return warn(
      `The tables were made by a newer version (${unknown.join(', ')})`,
      'Upgrade this process as well; until then it works beside the newer ones.',
    )
  }
  return passCheck(`${applied} applied`)
}
