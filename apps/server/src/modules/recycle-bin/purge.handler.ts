import { listWorkspaceBinKeys, purgeFromBin } from '@trellis/workspace-db/recycle-bin/purge-bin'
import type { SystemCtx } from '../../platform/ctx.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { type DueDeletion, deleteDue, findDue, markFound } from './recycle-bin.repository.ts'

const CUT_SHORT_MS = 15 * 60_000

/** Every step is idempotent; failures are retried an hour later. */
export async function handlePurgeRecycleBin(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  for (const due of await findDue(ctx, { now, cutBefore: new Date(now.getTime() - CUT_SHORT_MS) })) {
    await purgeDeletion(ctx, due).catch((error: unknown) => {
      ctx.log.warn({ err: error, deletion: due.code }, 'A deletion could not be purged; it is tried again.')
    })
  }
}

async function purgeDeletion(ctx: SystemCtx, due: DueDeletion): Promise<void> {
  const { cluster, key } = await openWorkspaceDatabase(ctx, {
    workspaceId: due.workspace_id,
    integrationCode: due.integration_code,
  })
  if (!due.is_moved) {
    // An interrupted deletion moved everything or nothing.
    if ((await listWorkspaceBinKeys(cluster, { key })).includes(due.code)) await markFound(ctx, due.code)
    else await deleteDue(ctx, due.code)
    return
  }
  const wasThere = await purgeFromBin(cluster, { key, binKey: due.code })
  await deleteDue(ctx, due.code)
  if (!wasThere) return
  const { schema_name, table_name } = due
  await writeAudit(ctx, {
    action: 'purgeDeletion',
    outcome: 'done',
    accountId: due.account_id,
    workspaceId: due.workspace_id,
    detail: {
      deletion: due.code,
      what: table_name === null ? schema_name : `${schema_name}.${table_name}`,
      why: 'Its days in the recycle bin were over',
    },
  })
}
