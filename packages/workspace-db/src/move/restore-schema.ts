import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { splitStatements } from '../statements/split-statements.ts'
import { runPgDump } from './run-pg-dump.ts'

interface Admins {
  readonly from: string
  readonly to: string
}

interface RestorePlaces {
  readonly admin: pg.Client
  readonly mover: pg.Client
  readonly admins: Admins
  /** Once the schemas are there. */
  readonly onSchemas: () => Promise<void>
}

/** `trellis` is made by provisioning. */
const ARGS = ['--schema-only', '--exclude-schema=trellis', '--no-publications', '--no-subscriptions']

export async function dumpSchema(cluster: Cluster, database: string): Promise<string> {
  return await runPgDump(cluster.adminConfig(database), ARGS)
}

/** Provisioning makes them, and only a superuser may. */
const MADE_BY_PROVISIONING =
  /^(?:CREATE|ALTER|COMMENT ON) EVENT TRIGGER |^(?:GRANT|REVOKE) [A-Z, ]+ ON (?:LANGUAGE |(?:FUNCTION|TABLE|TYPE) (?:pg_catalog|information_schema)\.)|^CREATE SCHEMA public$|^COMMENT ON SCHEMA public /
/** None of these runs an expression of a person. */
const BY_ADMINISTRATOR =
  /^(?:CREATE SCHEMA|ALTER SCHEMA|COMMENT ON SCHEMA|CREATE EXTENSION|COMMENT ON EXTENSION|ALTER DEFAULT PRIVILEGES|(?:GRANT|REVOKE) [A-Z, ]+ ON SCHEMA) /
const WITH_ROLES = /^(?:ALTER|GRANT|REVOKE) /

/** pg_dump writes them after everything that rows need, and rights after them. */
const AFTER_ROWS =
  /^(?:CREATE (?:UNIQUE )?INDEX|CREATE (?:CONSTRAINT )?TRIGGER|CREATE RULE|CREATE POLICY|CREATE STATISTICS|ALTER INDEX|(?:GRANT|REVOKE)|ALTER TABLE (?:ONLY )?\S.*\n\s+ADD CONSTRAINT [^\n]* (?:PRIMARY KEY|UNIQUE|EXCLUDE|FOREIGN KEY)|ALTER TABLE [^\n]* ENABLE) ?/

/**
 * Schemas as administrator, everything else as a login with the workspace's rights alone: indexes and constraints run
 * functions that people wrote. Returns what comes after the rows.
 */
export async function restoreTables(dump: string, places: RestorePlaces): Promise<readonly string[]> {
  const statements = listStatements(dump, places.admins)
  for (const statement of statements) if (BY_ADMINISTRATOR.test(statement)) await places.admin.query(statement)
  await places.onSchemas()
  const others = statements.filter((statement) => !BY_ADMINISTRATOR.test(statement))
  const first = others.findIndex((statement) => AFTER_ROWS.test(statement))
  const end = first < 0 ? others.length : first
  await restore(others.slice(0, end), places)
  return others.slice(end)
}

export async function restore(statements: readonly string[], { admin, mover, admins }: RestorePlaces): Promise<void> {
  const toAdmin = ` OWNER TO ${pg.escapeIdentifier(admins.to)}`
  for (const statement of statements) {
    await (WITH_ROLES.test(statement) && statement.endsWith(toAdmin) ? admin : mover).query(statement)
  }
}

/** Statements in any order: the same object may be described earlier or later. */
export function assertSameSchema(one: string, other: string, admins: Admins): void {
  const [expected, actual] = [one, other].map((dump) => listStatements(dump, admins).toSorted()) as [string[], string[]]
  const missing = expected.find((statement, at) => statement !== actual[at]) ?? actual[expected.length]
  if (missing !== undefined) throw new Error(`The copy differs from the database: ${missing.slice(0, 300)}`)
}

const escape = (name: string) => name.replaceAll(/\W/g, String.raw`\$&`)

/** The administrators of two clusters may have different names. */
function listStatements(text: string, { from, to }: Admins): string[] {
  const names = `(?:${escape(from)}|${escape(to)})`
  const name = new RegExp(`(?<= (?:TO|FROM|ROLE) )(?:${names}|"${names}")(?=$|[ ,])`, 'g')
  return splitStatements(text)
    .map((statement) => statement.text.replace(/^(?:\s*--[^\n]*\n)*\s*/, ''))
    .filter((statement) => !MADE_BY_PROVISIONING.test(statement))
    .map((statement) => (WITH_ROLES.test(statement) ? statement.replaceAll(name, pg.escapeIdentifier(to)) : statement))
}
