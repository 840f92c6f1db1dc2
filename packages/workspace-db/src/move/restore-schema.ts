import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { splitStatements } from '../statements/split-statements.ts'
import { runPgDump } from './run-pg-dump.ts'

interface Admins {
  readonly from: string
  readonly to: string
}

interface RestoreConnections {
  readonly admin: pg.Client
  readonly mover: pg.Client
  readonly admins: Admins
  /** Once the schemas are there. */
  readonly onSchemas: () => Promise<void>
}

/** `trellis` is made by provisioning. */
const SCHEMA_DUMP_ARGS = ['--schema-only', '--exclude-schema=trellis', '--no-publications', '--no-subscriptions']

export async function dumpSchema(cluster: Cluster, database: string): Promise<string> {
  return await runPgDump(cluster.adminConfig(database), SCHEMA_DUMP_ARGS)
}

/** Provisioning makes them, and only a superuser may. */
const CREATED_BY_PROVISIONING =
  /^(?:CREATE|ALTER|COMMENT ON) EVENT TRIGGER |^(?:GRANT|REVOKE) [A-Z, ]+ ON (?:LANGUAGE |(?:FUNCTION|TABLE|TYPE) (?:pg_catalog|information_schema)\.)|^CREATE SCHEMA public$|^COMMENT ON SCHEMA public /
/** None of these runs an expression of a person. */
const RUN_BY_ADMINISTRATOR =
  /^(?:CREATE SCHEMA|ALTER SCHEMA|COMMENT ON SCHEMA|CREATE EXTENSION|COMMENT ON EXTENSION|ALTER DEFAULT PRIVILEGES|(?:GRANT|REVOKE) [A-Z, ]+ ON SCHEMA) /
const NAMES_ROLES = /^(?:ALTER|GRANT|REVOKE) /

/** pg_dump writes them after everything that rows need, and rights after them. */
const AFTER_ROWS =
  /^(?:CREATE (?:UNIQUE )?INDEX|CREATE (?:CONSTRAINT )?TRIGGER|CREATE RULE|CREATE POLICY|CREATE STATISTICS|ALTER INDEX|(?:GRANT|REVOKE)|ALTER TABLE (?:ONLY )?\S.*\n\s+ADD CONSTRAINT [^\n]* (?:PRIMARY KEY|UNIQUE|EXCLUDE|FOREIGN KEY)|ALTER TABLE [^\n]* ENABLE) ?/

/**
 * Schemas as administrator, everything else as a login with the workspace's rights alone: indexes and constraints run
 * functions that people wrote. Returns what comes after the rows.
 */
export async function restoreTables(dump: string, connections: RestoreConnections): Promise<readonly string[]> {
  const statements = listStatements(dump, connections.admins)
  for (const statement of statements) if (RUN_BY_ADMINISTRATOR.test(statement)) await connections.admin.query(statement)
  await connections.onSchemas()
  const otherStatements = statements.filter((statement) => !RUN_BY_ADMINISTRATOR.test(statement))
  const firstAfterRows = otherStatements.findIndex((statement) => AFTER_ROWS.test(statement))
  const end = firstAfterRows < 0 ? otherStatements.length : firstAfterRows
  await runStatements(otherStatements.slice(0, end), connections)
  return otherStatements.slice(end)
}

export async function runStatements(
  statements: readonly string[],
  { admin, mover, admins }: RestoreConnections,
): Promise<void> {
  const toAdmin = ` OWNER TO ${pg.escapeIdentifier(admins.to)}`
  for (const statement of statements) {
    await (NAMES_ROLES.test(statement) && statement.endsWith(toAdmin) ? admin : mover).query(statement)
  }
}

/** Statements in any order: the same object may be described earlier or later. */
export function assertSameSchema(expectedDump: string, actualDump: string, admins: Admins): void {
  const [expected, actual] = [expectedDump, actualDump].map((dump) => listStatements(dump, admins).toSorted()) as [
    string[],
    string[],
  ]
  const missing = expected.find((statement, index) => statement !== actual[index]) ?? actual[expected.length]
  if (missing !== undefined) throw new Error(`The copy differs from the database: ${missing.slice(0, 300)}`)
}

const escapePattern = (name: string) => name.replaceAll(/\W/g, String.raw`\$&`)

/** The administrators of two clusters may have different names. */
function listStatements(text: string, { from, to }: Admins): string[] {
  const names = `(?:${escapePattern(from)}|${escapePattern(to)})`
  const adminNamePattern = new RegExp(`(?<= (?:TO|FROM|ROLE) )(?:${names}|"${names}")(?=$|[ ,])`, 'g')
  return splitStatements(text)
    .map((statement) => statement.text.replace(/^(?:\s*--[^\n]*\n)*\s*/, ''))
    .filter((statement) => !CREATED_BY_PROVISIONING.test(statement))
    .map((statement) =>
      NAMES_ROLES.test(statement) ? statement.replaceAll(adminNamePattern, pg.escapeIdentifier(to)) : statement,
    )
}
