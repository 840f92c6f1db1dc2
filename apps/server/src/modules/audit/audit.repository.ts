import { AUDIT_PAGE, type AuditLine } from '@trellis/contract/audit/audit.endpoints'
import { type AnyDb, type Db, platformTables } from '@trellis/control-db/database'

export interface NewAuditLine {
  action: string
  outcome: 'done' | 'refused' | 'failed'
  profileId?: number | null
  accountId?: number | null
  workspaceId?: number | null
  detail?: Record<string, unknown>
  ip?: string | null
  requestId?: string | null
}

export interface AuditPosition {
  scope: string
  seq: number
}

export interface AuditPage {
  beforeSeq: number | undefined
  action: string | undefined
  outcome: AuditLine['outcome'] | undefined
  search: string | undefined
}

export async function findAuditLines(
  ctx: { readonly db: AnyDb },
  accountId: number,
  page: AuditPage,
): Promise<AuditLine[]> {
  const pattern = `%${(page.search ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const rows = await platformTables(ctx)
    .selectFrom('audit_lines')
    .leftJoin('profiles', 'profiles.id', 'audit_lines.profile_id')
    .select(['seq', 'at', 'action', 'outcome', 'detail', 'ip', 'workspace_id', 'first_name', 'surname', 'email'])
    .where('scope', '=', `account:${accountId}`)
    .where('account_id', '=', accountId)
    .$if(page.beforeSeq !== undefined, (query) => query.where('seq', '<', page.beforeSeq as number))
    .$if(page.action !== undefined, (query) => query.where('action', '=', page.action as string))
    .$if(page.outcome !== undefined, (query) => query.where('outcome', '=', page.outcome as AuditLine['outcome']))
    .$if(Boolean(page.search), (query) =>
      query.where((where) => where.or([where('action', 'ilike', pattern), where('email', 'ilike', pattern)])),
    )
    .orderBy('seq', 'desc')
    .limit(AUDIT_PAGE)
    .execute()
  return rows.map((row) => ({
    seq: row.seq,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    who: row.email === null ? null : { name: `${row.first_name} ${row.surname}`.trim(), email: row.email },
    workspace_id: row.workspace_id,
    detail: row.detail,
    ip: row.ip,
  }))
}

type System = { readonly db: Db }

export async function findLine({ db }: System, place: { scope: string; seq: number }) {
  return await db
    .selectFrom('audit_lines')
    .select(['at', 'action', 'outcome', 'profile_id', 'detail', 'ip', 'request_id'])
    .where('scope', '=', place.scope)
    .where('seq', '=', place.seq)
    .executeTakeFirst()
}

export async function hasCopy(
  { db }: System,
  line: { accountId: number; action: string; requestId: string | null; since: Date },
): Promise<boolean> {
  const found = await db
    .selectFrom('audit_lines')
    .select('seq')
    .where('account_id', '=', line.accountId)
    .where('scope', '=', `account:${line.accountId}`)
    .where('action', '=', line.action)
    .where('at', '>=', line.since)
    .where('request_id', '=', line.requestId)
    .executeTakeFirst()
  return found !== undefined
}

export async function listAccountIdsByProfile({ db }: System, profileId: number, at: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('account_members')
    .innerJoin('accounts', 'accounts.id', 'account_members.account_id')
    .select('accounts.id')
    .where('profile_id', '=', profileId)
    .where('account_members.created_at', '<=', at)
    .where('deleted_at', 'is', null)
    .orderBy('accounts.id')
    .execute()
  return rows.map((row) => row.id)
}

export async function insertAuditLine(
  ctx: { readonly db: AnyDb },
  scope: string,
  line: NewAuditLine,
): Promise<AuditPosition> {
  return await platformTables(ctx)
    .insertInto('audit_lines')
    .values({
      scope,
      action: line.action,
      outcome: line.outcome,
      profile_id: line.profileId ?? null,
      account_id: line.accountId ?? null,
      workspace_id: line.workspaceId ?? null,
      detail: JSON.stringify(line.detail ?? {}),
      ip: line.ip ?? null,
      request_id: line.requestId ?? null,
    })
    .returning(['scope', 'seq'])
    .executeTakeFirstOrThrow()
}
