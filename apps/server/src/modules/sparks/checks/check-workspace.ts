import type { SystemCtx } from '../../../platform/ctx.ts'
import { type WorkspacePlace, toOwnerCtx } from '../../../platform/person-ctx.ts'
import { managedCode } from '../../explorer/database.service.ts'
import { hashShapes, readTableShapes } from '../../explorer/table-names.service.ts'
import { getSparkRow } from '../versions.ts'
import { checkSpark } from './check-spark.ts'
import { findSparksToCheck, setCheckedShape } from './checks.repository.ts'

/** One look at the catalogue; only sparks over tables whose columns changed since are planned again. */
export async function checkWorkspaceSparks(
  system: SystemCtx,
  place: WorkspacePlace,
  signal: AbortSignal,
): Promise<void> {
  const integrationCode = managedCode(place.workspace_code)
  const sparks = await findSparksToCheck(system.db, { workspaceId: place.workspace_id, integrationCode })
  if (sparks.length === 0) return
  const ctx = toOwnerCtx(system, place, signal)
  const shapes = await readTableShapes(ctx, integrationCode)
  for (const spark of sparks) {
    const shape = hashShapes(shapes, spark.tables)
    if (shape === spark.checked_shape) continue
    await checkSpark(ctx, await getSparkRow(ctx, spark.trellis_code), integrationCode)
    await setCheckedShape(system.db, spark.id, shape)
  }
}
