import { createHash } from 'node:crypto'
import type { SystemCtx, WorkspaceCtx } from '../../../platform/ctx.ts'
import { toPersonCtx } from '../../../platform/person-ctx.ts'
import { managedCode } from '../../explorer/database.service.ts'
import { readTableShapes } from '../../explorer/table-names.service.ts'
import { getSparkRow } from '../versions.ts'
import { checkSpark } from './check-spark.ts'
import { type findWorkspacesWithSparks, findSparksToCheck, setCheckedShape } from './checks.repository.ts'

type Place = Awaited<ReturnType<typeof findWorkspacesWithSparks>>[number]

/** One look at the catalogue; only sparks over tables whose columns changed since are planned again. */
export async function checkWorkspaceSparks(system: SystemCtx, place: Place, signal: AbortSignal): Promise<void> {
  const integrationCode = managedCode(place.workspace_code)
  const sparks = await findSparksToCheck(system.db, { workspaceId: place.workspace_id, integrationCode })
  if (sparks.length === 0) return
  const ctx = toOwnerCtx(system, place, signal)
  const shapes = await readTableShapes(ctx, integrationCode)
  for (const spark of sparks) {
    const seen = spark.tables.map(({ schema, name }) => [
      schema,
      name,
      shapes.get(JSON.stringify([schema, name])) ?? null,
    ])
    const shape = createHash('sha256').update(JSON.stringify(seen)).digest('hex')
    if (shape === spark.checked_shape) continue
    await checkSpark(ctx, await getSparkRow(ctx, spark.trellis_code), integrationCode)
    await setCheckedShape(system.db, spark.id, shape)
  }
}

/** Nobody in particular: queries are planned under the login of the project, whoever asks. */
function toOwnerCtx(system: SystemCtx, place: Place, signal: AbortSignal): WorkspaceCtx {
  const nobody = { profile_id: 0, trellis_user_code: '', email: '', first_name: '', surname: '' }
  const row = { ...place, ...nobody, account_role: 'owner' as const, workspace_role: null }
  return toPersonCtx(system, row, signal) as WorkspaceCtx
}
