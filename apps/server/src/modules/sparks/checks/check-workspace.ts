import type { SystemCtx } from '../../../platform/ctx.ts'
import { type WorkspaceWithAccount, toOwnerCtx } from '../../../platform/person-ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { hashShapes, readTableShapes } from '../../explorer/table-names.service.ts'
import { getSparkRow } from '../versions.ts'
import { checkSpark } from './check-spark.ts'
import { findConnectedSparks, findSparksToCheck, setCheckedShape, setConnectedChecked } from './checks.repository.ts'

/** Only sparks over tables whose columns changed are EXPLAINed again. */
export async function checkWorkspaceSparks(
  system: SystemCtx,
  account: WorkspaceWithAccount,
  signal: AbortSignal,
): Promise<void> {
  const integrationCode = managedCode(account.workspace_code)
  const sparks = await findSparksToCheck(system.db, { workspaceId: account.workspace_id, integrationCode })
  if (sparks.length === 0) return
  const ctx = toOwnerCtx(system, account, signal)
  const shapes = await readTableShapes(ctx, integrationCode)
  for (const spark of sparks) {
    const shape = hashShapes(shapes, spark.tables)
    if (shape === spark.checked_shape) continue
    await checkSpark(ctx, await getSparkRow(ctx, spark.trellis_code), integrationCode)
    await setCheckedShape(system.db, spark.id, shape)
  }
}

const CONNECTED_EVERY_MS = 3600_000
const MAX_CONNECTED = 5

/** External column changes are unnoticed, so these are EXPLAINed hourly. */
export async function checkConnectedSparks(
  system: SystemCtx,
  account: WorkspaceWithAccount,
  signal: AbortSignal,
): Promise<void> {
  const now = system.clock.now()
  const sparks = await findConnectedSparks(system.db, {
    workspaceId: account.workspace_id,
    integrationCode: managedCode(account.workspace_code),
    before: new Date(now.getTime() - CONNECTED_EVERY_MS),
    limit: MAX_CONNECTED,
  })
  const ctx = toOwnerCtx(system, account, signal)
  for (const { id, trellis_code } of sparks) {
    signal.throwIfAborted()
    // First, so that a failure is not retried every minute.
    await setConnectedChecked(system.db, id, now)
    await checkSpark(ctx, await getSparkRow(ctx, trellis_code))
  }
}
