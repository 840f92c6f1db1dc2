import { EXIT } from '../admin-error.ts'
import type { AdminCommand } from '../command.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkObjects } from './check-objects.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkWorkspaces } from './check-workspaces.ts'
import { type Check, type Finding, formatFinding } from './finding.ts'

/** In the order in which one rests on the other. */
const CHECKS: Readonly<Record<string, Check>> = {
  'disk space': checkDisk,
  database: checkDatabase,
  'root key': checkSecrets,
  files: checkObjects,
  workspaces: checkWorkspaces,
}

export async function checkInstallation({ installation, show }: AdminCommand): Promise<number> {
  const findings: Finding[] = []
  for (const [name, run] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await run(installation)))
    } catch (error) {
      findings.push({ check: name, status: 'failed', detail: error instanceof Error ? error.message : String(error) })
    }
  }
  const isOk = findings.every(({ status }) => status !== 'failed')
  show({ is_ok: isOk, findings }, findings.map(formatFinding).join('\n'))
  return isOk ? EXIT.ok : EXIT.failed
}
