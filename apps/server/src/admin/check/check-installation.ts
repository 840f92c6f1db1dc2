import { readServers } from '../../platform/start-checks/read-servers.ts'
import { runStartChecks } from '../../platform/start-checks/start-checks.ts'
import { findSentence } from '../../supervisor/sentence.ts'
import { EXIT } from '../admin-error.ts'
import type { AdminCommand } from '../command.ts'
import type { Installation } from '../open-installation.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkObjects } from './check-objects.ts'
import { checkReplicas } from './check-replicas.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkWorkspaces } from './check-workspaces.ts'
import { type Check, type Finding, formatFinding } from './finding.ts'

const checkStart: Check = async ({ config, control, addresses, builtIn }) => {
  const servers = await readServers(addresses)
  const isBuiltIn = builtIn !== undefined
  return await runStartChecks({ config, control, servers, isBuiltIn, hasDirectUrl: config.isPooled })
}

/** In order of dependency. */
const CHECKS: Readonly<Record<string, Check>> = {
  'disk space': checkDisk,
  start: checkStart,
  database: checkDatabase,
  secrets: checkSecrets,
  files: checkObjects,
  workspaces: checkWorkspaces,
  'read replicas': checkReplicas,
}

export async function checkInstallation({ installation, show }: AdminCommand): Promise<number> {
  const findings = await runChecks(installation)
  const isOk = findings.every(({ status }) => status !== 'failed')
  show({ is_ok: isOk, findings }, findings.map(formatFinding).join('\n'))
  return isOk ? EXIT.ok : EXIT.failed
}

async function runChecks(installation: Installation): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, run] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await run(installation)))
    } catch (error) {
      const sentence = findSentence(error)
      const detail = sentence ?? (error instanceof Error ? error.message : String(error))
      findings.push({ check: name, status: 'failed', detail })
      if (sentence !== undefined) return findings
    }
  }
  return findings
}
