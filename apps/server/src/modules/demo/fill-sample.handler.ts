import { transaction } from '@trellis/control-db/database'
import type { JobRun } from '@trellis/jobs/attempt'
import { enqueue } from '@trellis/jobs/enqueue'
import { findSchema, findTable } from '@trellis/workspace-db/catalogue/find-table'
import { withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { createSchema } from '@trellis/workspace-db/schemas/change-schemas'
import type { Session } from '@trellis/workspace-db/session'
import type { SystemCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { listAiProjectNames } from '../ai-projects/projects.service.ts'
import { createSampleProject } from '../ai/sample-project.service.ts'
import { createSampleSpark } from '../sparks/sparks.service.ts'
import { DEMO_AI_PROJECT } from './demo-ai-project.ts'
import { demoCtx } from './demo-ctx.ts'
import { DEMO_SPARKS } from './demo-sparks.ts'
import { addFlow } from './demo.jobs.ts'
import { findDemoPlace, writeSampleLabel } from './demo.repository.ts'
import { SAMPLE_LABELS, SAMPLE_SCHEMA, listSampleStatements, SAMPLE_TABLES } from '@trellis/workspace-db/samples/shop'
import { whenOnline } from './when-online.ts'

const MAX_PROJECTS = 100

interface Payload {
  workspace_id: number
  integration_code: string
}

/** Every step is idempotent. */
export async function handleFillSample(ctx: SystemCtx, payload: Payload, run: JobRun): Promise<void> {
  const place = { workspaceId: payload.workspace_id, integrationCode: payload.integration_code }
  const database = await whenOnline(ctx, place, run.signal)
  const target = { database: database.database, credentials: database.credentials, signal: run.signal }
  await withCatalogueSession(database.cluster, { ...target, role: 'rw' }, async (session) => {
    if (!(await findSchema(session, SAMPLE_SCHEMA))) {
      await createSchema(database.cluster, { key: database.key, name: SAMPLE_SCHEMA })
    }
    if (await findTable(session, { schema: SAMPLE_SCHEMA, name: 'orders' })) return
    await inTransaction(session, () => fill(session))
    await session.query({ text: `analyze ${SAMPLE_TABLES.map((table) => `${SAMPLE_SCHEMA}.${table}`).join(', ')}` })
  })
  await transaction(ctx, async (ctx) => {
    for (const label of SAMPLE_LABELS) await writeSampleLabel(ctx, { ...place, schema: SAMPLE_SCHEMA }, label)
  })
  const demo = await findDemoPlace(ctx, payload.workspace_id)
  if (!demo) return
  await addProject(demoCtx(ctx, demo), payload.integration_code)
  await enqueue(ctx, addFlow, { workspace_id: payload.workspace_id })
}

async function addProject(ctx: WorkspaceCtx, integrationCode: string): Promise<void> {
  await createSampleProject(ctx, integrationCode, DEMO_AI_PROJECT)
  const projects = await listAiProjectNames(ctx, MAX_PROJECTS)
  const project = projects.find(({ name }) => name === DEMO_AI_PROJECT.name)
  if (!project) return
  for (const { name, description, buildContent } of DEMO_SPARKS) {
    await createSampleSpark(ctx, project.code, { name, description, content: buildContent(integrationCode) })
  }
}

async function fill(session: Session): Promise<void> {
  for (const text of listSampleStatements(SAMPLE_SCHEMA)) await session.query({ text })
  for (const table of SAMPLE_TABLES) {
    await session.query({
      text: `insert into ${LOADS_SCHEMA}.receipts (load_id, schema_name, table_name, mode, source, rows, done_by)
             select gen_random_uuid(), $1, $2, 'new', 'Sample data', count(*), 'Trellis' from ${SAMPLE_SCHEMA}.${table}`,
      values: [SAMPLE_SCHEMA, table],
    })
  }
}
