import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { WorkspaceWithAccount } from '../../../platform/person-ctx.ts'
import type { WorkspaceScope } from '../runs.repository.ts'

export interface WebhookRow {
  code: string
  created_at: Date
  rotated_at: Date | null
  who: string | null
  called_at: Date | null
  flow_run_code: string | null
}

export async function findWebhook(scope: WorkspaceScope, dataflowId: number): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    select h.trellis_code as code, h.created_at, h.rotated_at,
           nullif(trim(p.first_name || ' ' || p.surname), '') as who, l.created_at as called_at, l.trellis_code as flow_run_code
      from inbound_webhooks h left join profiles p on p.id = h.created_by
      left join lateral (
        select f.trellis_code, f.created_at from flow_runs f
         where f.dataflow_id = h.dataflow_id and f.cause = 'inbound_webhook' and f.created_at >= h.created_at
         order by f.id desc limit 1) as l on true
     where h.account_id = ${scope.account.id} and h.workspace_id = ${scope.workspace.id}
       and h.dataflow_id = ${dataflowId}`.execute(scope.db)
  return rows[0]
}

interface NewWebhook {
  readonly dataflowId: number
  readonly code: string
  readonly secretHash: Buffer
  readonly profileId: number
}

export async function insertWebhook(scope: WorkspaceScope, webhook: NewWebhook): Promise<boolean> {
  const { rows } = await sql`
    insert into inbound_webhooks (dataflow_id, account_id, workspace_id, trellis_code, secret_hash, created_by)
    values (${webhook.dataflowId}, ${scope.account.id}, ${scope.workspace.id}, ${webhook.code}, ${webhook.secretHash},
            ${webhook.profileId})
    on conflict (dataflow_id) do nothing returning dataflow_id`.execute(scope.db)
  return rows.length > 0
}

export async function replaceSecret(scope: WorkspaceScope, dataflowId: number, secretHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update inbound_webhooks set secret_hash = ${secretHash}, rotated_at = now()
     where account_id = ${scope.account.id} and workspace_id = ${scope.workspace.id} and dataflow_id = ${dataflowId}
    returning dataflow_id`.execute(scope.db)
  return rows.length > 0
}

export async function deleteWebhook(scope: WorkspaceScope, dataflowId: number): Promise<boolean> {
  const { rows } = await sql`
    delete from inbound_webhooks
     where account_id = ${scope.account.id} and workspace_id = ${scope.workspace.id} and dataflow_id = ${dataflowId}
    returning dataflow_id`.execute(scope.db)
  return rows.length > 0
}

export interface CalledWebhook extends WorkspaceWithAccount {
  readonly webhook_code: string
  readonly secret_hash: Buffer
  readonly dataflow_id: number
  readonly dataflow_code: string
  readonly is_paused: boolean
}

/** Not scoped to an account: the caller is only known by the URL. */
export async function findCalledWebhook(db: Db, code: string): Promise<CalledWebhook | undefined> {
  const { rows } = await sql<CalledWebhook>`
    select h.trellis_code as webhook_code, h.secret_hash, f.id as dataflow_id, f.trellis_code as dataflow_code, f.is_paused,
           a.id as account_id, a.trellis_code as account_code, a.account_type, a.stripe_plan_end_date, w.id as workspace_id,
           w.trellis_code as workspace_code, w.workspace_address
      from inbound_webhooks h
      join dataflows f on f.id = h.dataflow_id and f.deleted_at is null
      join workspaces w on w.id = h.workspace_id and w.deleted_at is null and w.state = 'online'
      join accounts a on a.id = h.account_id and a.deleted_at is null
     where h.trellis_code = ${code}`.execute(db)
  return rows[0]
}
