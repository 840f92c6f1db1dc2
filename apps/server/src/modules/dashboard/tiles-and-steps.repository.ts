import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import { scoped } from '@trellis/control-db/scoped'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

/** One statement, since each read is cheaper than a round trip. */
export async function findTilesAndSteps(ctx: WorkspaceCtx): Promise<Pick<Dashboard, 'tile_order' | 'getting_started'>> {
  const { id } = ctx.workspace
  const inWorkspace = (table: 'integrations' | 'ai_conversations') =>
    scoped(ctx, table as 'integrations')
      .select('id')
      .where('workspace_id', '=', id)
  const found = await ctx.db
    .selectNoFrom(({ exists }) => [
      exists(
        scoped(ctx, 'upload_jobs')
          .select('id')
          .where('workspace_id', '=', id)
          .where('kind', '=', 'deliver')
          .where('status', '=', 'completed'),
      ).as('upload'),
      exists(inWorkspace('integrations')).as('integration'),
      exists(scoped(ctx, 'sql_jobs').select('id').where('workspace_id', '=', id).where('status', '=', 'completed')).as(
        'query',
      ),
      exists(
        scoped(ctx, 'task_blocks')
          .select('id')
          .where('workspace_id', '=', id)
          .where('live_version', 'is not', null)
          .where('deleted_at', 'is', null),
      ).as('dataflow'),
      exists(inWorkspace('ai_conversations')).as('question'),
      exists(scoped(ctx, 'account_members').select('profile_id').where('profile_id', '!=', ctx.actor.profileId)).as(
        'member',
      ),
      exists(scoped(ctx, 'account_invites').select('id')).as('invite'),
      scoped(ctx, 'dashboard_tiles')
        .select('tiles')
        .where('workspace_id', '=', id)
        .where('profile_id', '=', ctx.actor.profileId)
        .as('tiles'),
    ])
    .executeTakeFirstOrThrow()
  return {
    tile_order: found.tiles ?? [],
    getting_started: {
      data: Boolean(found.upload) || Boolean(found.integration),
      query: Boolean(found.query),
      dataflow: Boolean(found.dataflow),
      question: Boolean(found.question),
      invite: Boolean(found.member) || Boolean(found.invite),
    },
  }
}
