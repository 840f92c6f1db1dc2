import { transaction } from '@trellis/control-db/database'
import { GiveUp, type JobRun } from '@trellis/jobs/attempt'
import { stringify } from 'yaml'
import type { SystemCtx } from '../../platform/ctx.ts'
import { getCanvas } from '../dataflows/canvas.service.ts'
import { getFolderStructure } from '../dataflows/dataflows.service.ts'
import { publishBlock } from '../dataflows/publish.service.ts'
import { importDataflow } from '../dataflows/yaml/import-yaml.service.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { executeBlock } from '../runs/runs.service.ts'
import { runPathAsDataflow } from '../worksheets/scheduled/run-as-dataflow.service.ts'
import { DEMO_FILE, DEMO_FLOW, DEMO_STARTS } from './demo-flow.ts'
import { DEMO_SCHEDULED } from './demo-worksheets.ts'
import { findDemoPlace } from './demo.repository.ts'
import { demoCtx } from './demo-ctx.ts'
import { whenOnline } from './when-online.ts'

/** Idempotent. */
export async function handleAddFlow(
  system: SystemCtx,
  { workspace_id }: { workspace_id: number },
  { signal }: JobRun,
): Promise<void> {
  const place = await findDemoPlace(system, workspace_id)
  if (!place) throw new GiveUp('The workspace is gone.')
  await whenOnline(system, { workspaceId: workspace_id, integrationCode: managedCode(place.workspace_code) }, signal)
  const ctx = demoCtx(system, place)
  await transaction(ctx, async (ctx) => {
    const { dataflows } = await getFolderStructure(ctx)
    if (dataflows.some(({ name }) => name === DEMO_FLOW)) return
    const { trellis_code, problems } = await importDataflow(ctx, { yaml: stringify(DEMO_FILE) })
    if (trellis_code === null || problems.length > 0)
      throw new Error(`The demo can't be made: ${problems[0]?.message ?? ''}`)
    await runPathAsDataflow(ctx, { ...DEMO_SCHEDULED, dataflow: { trellis_code } })
    const { blocks } = await getCanvas(ctx, trellis_code)
    for (const { task_block_trellis_code: code, version } of blocks) {
      await publishBlock(ctx, code, { version, message: 'Made with the demo' })
    }
    for (const { task_block_trellis_code: code, name } of blocks) {
      if (DEMO_STARTS.some((start) => start === name)) await executeBlock(ctx, code, { scope: 'from_here' })
    }
  })
}
