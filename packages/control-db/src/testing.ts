import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { type ControlDb, openControlDb } from './database.ts'
import { readMigrations } from './migrate.ts'
import { prepareControlDb, withDatabase } from './prepare.ts'

const LOCK = 7_236_402
const LOGIN = { role: 'trellis_app', password: 'for-tests-only' }

export interface TestDatabase extends ControlDb {
  url: string
  adminUrl: string
}

/** Cloned from a template database with all migrations. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env['TRELLIS_TEST_CLUSTER_URL']
  if (!adminUrl) throw new Error('TRELLIS_TEST_CLUSTER_URL is not set; run the tests with vitest from the root.')
  const name = `t_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const template = await ensureTemplate(admin, adminUrl)
    // Copying files is cheaper than logging every block of a template with many tables.
    await admin.query(`create database ${name} template ${template} strategy file_copy`)
    await admin.query(`grant connect on database ${name} to ${LOGIN.role}`)
  } finally {
    await admin.end()
  }
  const url = new URL(withDatabase(adminUrl, name))
  url.username = LOGIN.role
  url.password = LOGIN.password
  const openedControlDb = openControlDb({ url: url.href, max: 8, name })
  return { ...openedControlDb, url: url.href, adminUrl, close: () => closeAndDrop(openedControlDb, adminUrl, name) }
}

async function ensureTemplate(admin: pg.Client, adminUrl: string): Promise<string> {
  const checksums = (await readMigrations()).map((migration) => migration.checksum).join()
  const template = `template_${createHash('sha256').update(checksums).digest('hex').slice(0, 16)}`
  await admin.query('select pg_advisory_lock($1)', [LOCK])
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      const building = `${template}_new`
      await admin.query(`drop database if exists ${building} with (force)`)
      await prepareControlDb({ adminUrl, database: building, appPassword: LOGIN.password })
      await admin.query(`alter database ${building} rename to ${template}`)
    }
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [LOCK])
  }
  return template
}

async function closeAndDrop(openedControlDb: ControlDb, adminUrl: string, name: string): Promise<void> {
  await openedControlDb.close()
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
}
