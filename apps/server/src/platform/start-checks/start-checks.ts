import { startError } from '@trellis/embedded/postgres/start-problem'
import type { Config } from '../config.ts'
import { checkFileStore } from './check-file-store.ts'
import { checkMail } from './check-mail.ts'
import { checkMigrations } from './check-migrations.ts'
import { checkRootKey } from './check-root-key.ts'
import { checkAdministrator, checkDirectUrl, checkLogin, checkPrimary, checkVersion } from './check-servers.ts'
import { checkWebApp } from './check-web-app.ts'
import { listAddresses, readServers } from './read-servers.ts'
import { type CheckResult, type ServerCheck, type StartCheck, type StartCheckInput, fail } from './start-check.ts'
import { waitForDatabase } from './wait-for-database.ts'

const SERVER_CHECKS: Readonly<Record<string, ServerCheck>> = {
  version: checkVersion,
  primary: checkPrimary,
  'direct address': checkDirectUrl,
  'application login': checkLogin,
  'cluster login': checkAdministrator,
}

const SITE_CHECKS: Readonly<Record<string, StartCheck>> = { mail: checkMail, 'web app': checkWebApp }

/** In order of dependency. */
const START_CHECKS: Readonly<Record<string, StartCheck>> = {
  ...SERVER_CHECKS,
  migrations: checkMigrations,
  'root key': checkRootKey,
  'file store': checkFileStore,
}

type StartFinding = CheckResult & { readonly check: string }

export async function runStartChecks(input: StartCheckInput): Promise<StartFinding[]> {
  const findings: StartFinding[] = []
  const checks = input.config.role === 'worker' ? START_CHECKS : { ...START_CHECKS, ...SITE_CHECKS }
  for (const [check, run] of Object.entries(checks)) findings.push({ check, ...(await tryCheck(run, input)) })
  return findings
}

/** Later checks depend on earlier ones, so the first failure is the cause. */
async function tryCheck(run: StartCheck, input: StartCheckInput): Promise<CheckResult> {
  try {
    return await run(input)
  } catch (error) {
    return fail(
      `This could not be checked: ${(error as Error).message}`,
      'Mend what failed before it, if anything did.',
    )
  }
}

export async function assertCanStart(
  config: Config,
  control: StartCheckInput['control'],
  say: (sentence: string) => void,
): Promise<void> {
  const addresses = listAddresses(config)
  await waitForDatabase(addresses, { say })
  const servers = await readServers(addresses)
  const input = { config, control, servers, isBuiltIn: false, hasDirectUrl: config.isPooled }
  assertNoneFailed(await runStartChecks(input), say)
}

/** Before migrations, which would fail halfway on an unsuitable server. */
export async function assertServersFit(config: Config): Promise<void> {
  const servers = await readServers(listAddresses(config))
  const input = { servers, isBuiltIn: false, hasDirectUrl: config.isPooled }
  assertNoneFailed(Object.entries(SERVER_CHECKS).map(([check, run]) => ({ check, ...run(input) })))
}

function assertNoneFailed(findings: readonly StartFinding[], say?: (sentence: string) => void): void {
  for (const finding of findings) {
    if (finding.status === 'failed') throw startError(`${finding.detail}. ${finding.advice}`)
    if (finding.status === 'warning') say?.(`${finding.detail}. ${finding.advice}`)
  }
}
