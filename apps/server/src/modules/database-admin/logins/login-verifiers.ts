import { type AnyDb, platformTables, transaction } from '@trellis/control-db/database'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { findVerifiers, restoreVerifier } from '@trellis/workspace-db/roles/login-verifiers'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { Ports } from '../../../platform/ports.ts'
import { writeAudit } from '../../audit/audit.service.ts'
import { lockAccess, type StoredLogin } from '../access.repository.ts'
import { getLoginName } from './login-name.ts'
import { findProfiles, setLogins, type SweptProfile, type SweptWorkspace } from '../sweep.repository.ts'

type Ctx = { readonly db: AnyDb; readonly ports: Pick<Ports, 'secrets'> }

const toPlace = (
  workspace: { readonly id: number },
  profile: { readonly trellis_code: string },
  { suffix }: { readonly suffix: string },
) => ({ scope: `workspace:${workspace.id}`, field: `database-login:${profile.trellis_code}/${suffix}` })
type VerifierAddress = ReturnType<typeof toPlace>

interface LoginOwner {
  readonly workspaceId: number
  readonly profileCode: string
  readonly suffix: string
}

/** Bound to this login: it cannot be opened for another. */
export const sealVerifier = (
  ctx: Ctx,
  { workspaceId, profileCode, suffix }: LoginOwner,
  verifier: string,
): Promise<string> =>
  ctx.ports.secrets.seal(ctx, toPlace({ id: workspaceId }, { trellis_code: profileCode }, { suffix }), verifier)

interface CheckedLogin {
  readonly login: StoredLogin
  readonly user: string
  readonly actual: string | null | undefined
  readonly kept: string | undefined
}

export interface SweptLogins {
  readonly cluster: Cluster
  readonly workspace: SweptWorkspace
  readonly profile: SweptProfile
}

/** Logins may change their own password in Postgres. One that differs is reset and its sessions are terminated. */
export async function resetChangedPasswords(ctx: SystemCtx, swept: SweptLogins): Promise<void> {
  const { cluster, workspace, profile } = swept
  if (!cluster.isSuperuser || !(await checkLogins(ctx, swept)).some(isChanged)) return
  await transaction(ctx, async (ctx) => {
    // A rotation may happen meanwhile: read both again under its lock.
    await lockAccess({ db: platformTables(ctx), account: { id: workspace.account_id } }, workspace.id)
    const [current] = await findProfiles(ctx, profile.id)
    if (!current) return
    const checkedLogins = await checkLogins(ctx, { ...swept, profile: current })
    const logins = checkedLogins.map((checkedLogin) =>
      recordVerifier(ctx, checkedLogin, toPlace(workspace, current, checkedLogin.login)),
    )
    await setLogins(ctx, current.id, await Promise.all(logins))
    for (const { user, kept } of checkedLogins.filter((checkedLogin) => isChanged(checkedLogin))) {
      if (kept === undefined) continue
      await restoreVerifier(cluster, { user, verifier: kept })
      await writeAudit(ctx, {
        action: 'loginPasswordRestored',
        outcome: 'done',
        accountId: workspace.account_id,
        workspaceId: workspace.id,
        detail: { login: user },
        requestId: ctx.requestId,
      })
    }
  })
}

const isChanged = ({ actual, kept }: CheckedLogin): boolean =>
  actual !== undefined && actual !== kept && (kept !== undefined || actual !== null)

async function checkLogins(ctx: SystemCtx, { cluster, workspace, profile }: SweptLogins): Promise<CheckedLogin[]> {
  const toName = ({ suffix }: StoredLogin) => getLoginName(workspace.database_key, profile, suffix)
  const actual = await findVerifiers(cluster, profile.logins.map(toName))
  return await Promise.all(
    profile.logins.map(async (login) => ({
      login,
      user: toName(login),
      actual: actual.get(toName(login)),
      kept: login.verifier && (await ctx.ports.secrets.open(ctx, toPlace(workspace, profile, login), login.verifier)),
    })),
  )
}

async function recordVerifier(
  ctx: Ctx,
  { login, actual, kept }: CheckedLogin,
  address: VerifierAddress,
): Promise<StoredLogin> {
  if (kept !== undefined || !actual) return login
  return { ...login, verifier: await ctx.ports.secrets.seal(ctx, address, actual) }
}
