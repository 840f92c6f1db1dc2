import { EXIT } from './admin-error.ts'
import type { AdminCommand } from './command.ts'

export async function migrateTables({ installation, show }: AdminCommand): Promise<number> {
  const applied = await installation.migrate()
  if (applied.length > 0) await installation.audit({ action: 'tablesMigrated', outcome: 'done', detail: { applied } })
  const text = applied.length === 0 ? 'The tables are up to date.' : `Applied:\n${applied.join('\n')}`
  show({ applied }, text)
  return EXIT.ok
}
