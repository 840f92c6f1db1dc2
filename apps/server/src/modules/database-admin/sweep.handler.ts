import { platformTables, transaction } from '@trellis/control-db/database'
import { applyFirewall, canEnforceFirewall } from '@trellis/workspace-db/firewall/apply-firewall'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { type Access, listGrants } from '@trellis/workspace-db/roles/access'
import { loginName } from '@trellis/workspace-db/roles/access-names'
import { applyAccess } from '@trellis/workspace-db/roles/apply-access'
import { type LoginLimit, endOverdueSessions, endUserSessions } from '@trellis/workspace-db/roles/external-sessions'
import { listAllLogins } from '@trellis/workspace-db/roles/find-logins'
import { applyTableRights } from '@trellis/workspace-db/roles/apply-table-rights'
import { type StraySessionOptions, endStraySessions } from '@trellis/workspace-db/stray-sessions'
import { getStatementMinutes } from '@trellis/workspace-db/roles/templates'
import { eachCluster } from '../../platform/clusters/each-cluster.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { managedCode, openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { findStoredAccess, lockAccess } from './access.repository.ts'
import { toAccess } from './access-state.ts'
import { findLiveRules } from './firewall.repository.ts'
import { getLoginName, toNamed } from './logins/login-name.ts'
import { resetChangedPasswords } from './logins/login-verifiers.ts'
import {
  deleteLeftProfile,
  dropEndedLogins,
  findProfiles,
  findSweptWorkspaces,
  markSeen,
  type SweptProfile,
  type SweptWorkspace,
} from './sweep.repository.ts'

export async function handleSweep(ctx: SystemCtx): Promise<void> {
  const swept = { workspaces: await findSweptWorkspaces(ctx), stale: await endStored(ctx) }
  await eachCluster(ctx, (cluster, id) => sweepCluster(ctx, cluster, pickCluster(swept, id)))
}

const pickCluster = ({ workspaces, stale }: Swept, id: number): Swept => ({
  workspaces: workspaces.filter((workspace) => workspace.cluster_id === id),
  stale,
})

interface Swept {
  readonly workspaces: readonly SweptWorkspace[]
  /** Workspaces whose stored logins have just changed. */
  readonly stale: ReadonlySet<number>
}

/** A failing workspace must not block the others. */
async function sweepCluster(ctx: SystemCtx, cluster: Cluster, { workspaces, stale }: Swept): Promise<void> {
  await sweepFirewall(ctx, cluster, workspaces).catch((error: unknown) => {
    ctx.log.error({ err: error }, 'the firewall rules could not be written')
  })
  const onCluster = await listAllLogins(cluster)
  const profiles = await findProfiles(ctx)
  const limits: LoginLimit[] = []
  for (const workspace of workspaces) {
    const ownProfiles = profiles.filter((profile) => profile.workspace_id === workspace.id)
    const present = onCluster.get(toWorkspaceNames(workspace.database_key).database) ?? []
    if (ownProfiles.length === 0 && present.length === 0) continue
    if (workspace.is_deleted) {
      await endUserSessions(cluster, present)
      continue
    }
    try {
      const access = await readState(ctx, workspace)
      limits.push(...computeLoginLimits(workspace, access))
      const wanted = ownProfiles.flatMap((profile) => listLoginNames(workspace, profile))
      const isSame = present.length === wanted.length && present.every((name) => wanted.includes(name))
      if (!isSame || stale.has(workspace.id)) await reapplyAccess(ctx, cluster, workspace)
      for (const profile of ownProfiles) await resetChangedPasswords(ctx, { cluster, workspace, profile })
    } catch (error) {
      ctx.log.warn({ workspaceId: workspace.id, err: error }, 'access to a database could not be swept')
    }
  }
  await endOverdueSessions(cluster, limits)
  await markSeenNow(ctx, cluster, { workspaces, profiles })
}

/** A statement whose process died has no timeout any more. */
export async function handleEndStraySessions(ctx: SystemCtx, options: StraySessionOptions): Promise<void> {
  await eachCluster(ctx, async (cluster) => {
    const ended = await endStraySessions(cluster, options)
    if (ended > 0) ctx.log.warn({ ended }, 'sessions that had lost the process with their timer were ended')
  })
}

export async function handleKeepTables(ctx: SystemCtx): Promise<void> {
  const used = new Set((await findProfiles(ctx)).map((profile) => profile.workspace_id))
  for (const workspace of await findSweptWorkspaces(ctx)) {
    if (workspace.is_deleted || !used.has(workspace.id)) continue
    try {
      // Opening upgrades the database; external clients never trigger that.
      const { cluster } = await openWorkspaceDatabase(ctx, toDatabaseKey(workspace))
      await reapplyAccess(ctx, cluster, workspace)
      await applyTableRights(cluster, { key: workspace.database_key })
    } catch (error) {
      ctx.log.warn({ workspaceId: workspace.id, err: error }, 'owners and rights of new tables could not be set')
    }
  }
}

async function sweepFirewall(ctx: SystemCtx, cluster: Cluster, workspaces: readonly SweptWorkspace[]): Promise<void> {
  if (!canEnforceFirewall(cluster)) return
  const rules = await findLiveRules(ctx, ctx.clock.now())
  await applyFirewall(cluster, {
    databases: workspaces.map((workspace) => toWorkspaceNames(workspace.database_key).database),
    lines: rules.map((rule) => ({
      database: toWorkspaceNames(rule.database_key).database,
      profile: rule.slug === null ? null : toNamed({ slug: rule.slug, login_name: rule.login_name }),
      cidr: rule.cidr,
    })),
  })
}

async function endStored(ctx: SystemCtx): Promise<Set<number>> {
  const now = ctx.clock.now()
  const changed = new Set<number>()
  for (const profile of await findProfiles(ctx)) {
    const living = profile.logins.filter((login) => login.ends_at === null || new Date(login.ends_at) > now)
    if (!profile.has_left && living.length === profile.logins.length) continue
    if (profile.has_left) await deleteLeftProfile(ctx, profile.id)
    else await dropEndedLogins(ctx, profile.id, now)
    changed.add(profile.workspace_id)
  }
  return changed
}

const toAccountScope = (ctx: SystemCtx, workspace: SweptWorkspace) => ({
  db: platformTables(ctx),
  account: { id: workspace.account_id },
})
const toDatabaseKey = (workspace: SweptWorkspace) => ({
  workspaceId: workspace.id,
  integrationCode: managedCode(workspace.trellis_code),
})

async function readState(ctx: SystemCtx, workspace: SweptWorkspace): Promise<Access> {
  return toAccess(await findStoredAccess(toAccountScope(ctx, workspace), toDatabaseKey(workspace)))
}

async function reapplyAccess(ctx: SystemCtx, cluster: Cluster, workspace: SweptWorkspace): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockAccess(toAccountScope(ctx, workspace), workspace.id)
    await applyAccess(cluster, { key: workspace.database_key, access: await readState(ctx, workspace) })
  })
}

const listLoginNames = (workspace: SweptWorkspace, profile: SweptProfile): string[] =>
  profile.logins.map(({ suffix }) => getLoginName(workspace.database_key, profile, suffix))

function computeLoginLimits(workspace: SweptWorkspace, access: Access): LoginLimit[] {
  return access.profiles.flatMap((profile) => {
    const minutes = getStatementMinutes(listGrants(access, profile).map((grant) => grant.template))
    return profile.logins.map(({ suffix }) => ({
      user: loginName(toWorkspaceNames(workspace.database_key), profile, suffix),
      statementMinutes: minutes,
    }))
  })
}

async function markSeenNow(
  ctx: SystemCtx,
  cluster: Cluster,
  { workspaces, profiles }: { workspaces: readonly SweptWorkspace[]; profiles: readonly SweptProfile[] },
): Promise<void> {
  const { rows } = await cluster.admin.query<{ name: string }>(
    "select distinct usename as name from pg_stat_activity where backend_type = 'client backend'",
  )
  const connected = new Set(rows.map((row) => row.name))
  const keys = new Map(workspaces.map((workspace) => [workspace.id, workspace]))
  const seenProfiles = profiles.filter((profile) => {
    const workspace = keys.get(profile.workspace_id)
    return workspace !== undefined && listLoginNames(workspace, profile).some((name) => connected.has(name))
  })
  await markSeen(
    ctx,
    seenProfiles.map((profile) => profile.id),
    ctx.clock.now(),
  )
}
