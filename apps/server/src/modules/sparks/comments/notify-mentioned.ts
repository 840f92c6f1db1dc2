import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { notify, withdrawNotifications } from '../../notifications/notifications.service.ts'
import type { SparkRow } from '../sparks.repository.ts'
import type { MentionChange } from './comments.repository.ts'

type NotifyingCtx = Pick<WorkspaceCtx, 'db' | 'clock' | 'actor' | 'account' | 'workspace'>

export async function notifyMentioned(
  ctx: NotifyingCtx,
  { spark, commentId }: { spark: SparkRow; commentId: number },
  { added, removed }: MentionChange,
): Promise<void> {
  const { account, workspace, actor } = ctx
  await withdrawNotifications(ctx, removed, commentId)
  const others = added.filter((id) => id !== actor.profileId)
  await notify(ctx, others, {
    account_id: account.id,
    workspace_id: workspace.id,
    kind: 'mention',
    title: `${`${actor.firstName} ${actor.surname}`.trim()} mentioned you in "${spark.name}"`,
    detail: '',
    path: `/${account.code}/${workspace.address}/sparks/${spark.trellis_code}?comments=1`,
    group_key: `mention:${commentId}`,
    spark_comment_id: commentId,
  })
}
