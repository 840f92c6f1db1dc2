import { createHash } from 'node:crypto'
import { transaction } from '@trellis/control-db/database'
import type { AccountScope } from '@trellis/control-db/scoped'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Access } from '@trellis/workspace-db/roles/access'
import { BUILT_IN_SLUGS, type LoginSuffix } from '@trellis/workspace-db/roles/access-names'
import { applyAccess } from '@trellis/workspace-db/roles/apply-access'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import {
  findStoredAccess,
  insertRole,
  lockAccess,
  type ProfileRow,
  type StoredAccess,
  type StoredLogin,
} from './access.repository.ts'

const BUILT_IN = {
  read: { name: 'Workspace viewer', template: 'reader', description: 'Reads every table of every schema.' },
  write: { name: 'Workspace editor', template: 'writer', description: 'Reads and writes every table of every schema.' },
  rule: {
    name: 'Workspace admin',
    template: 'admin',
    description: 'Creates, changes and drops tables in every schema.',
  },
} as const

export async function loadStored(ctx: AccountScope, of: OpenDatabase): Promise<StoredAccess> {
  const storedAccess = await findStoredAccess(ctx, of)
  if (storedAccess.roles.filter((role) => role.is_built_in).length === BUILT_IN_SLUGS.length) return storedAccess
  for (const slug of BUILT_IN_SLUGS) {
    const { name, template, description } = BUILT_IN[slug]
    const grants = [{ template, schema_name: null, tag: null }]
    await insertRole(ctx, of, {
      trellis_code: generateTrellisCode(),
      slug,
      name,
      description,
      grants,
      is_built_in: true,
    })
  }
  return await findStoredAccess(ctx, of)
}

/** The password's overlap or the profile's end, whichever is first. */
export function getLoginEnd(login: StoredLogin, profile: Pick<ProfileRow, 'expires_at'>): Date | null {
  const ends = [login.ends_at === null ? null : new Date(login.ends_at), profile.expires_at]
  const known = ends.filter((end) => end !== null).map((end) => end.getTime())
  return known.length === 0 ? null : new Date(Math.min(...known))
}

export function toAccess({ roles, groups, profiles }: StoredAccess): Access {
  const roleSlugs = new Map(roles.map((role) => [role.id, role.slug]))
  const groupSlugs = new Map(groups.map((group) => [group.id, group.slug]))
  const slugs = (known: Map<number, string>, ids: readonly number[]) => ids.flatMap((id) => known.get(id) ?? [])
  return {
    roles: roles
      .filter((role) => !role.is_built_in)
      .map(({ slug, grants }) => ({ slug, grants: grants.map(({ template, tag }) => ({ template, tag })) })),
    groups: groups.map((group) => ({ slug: group.slug, roles: slugs(roleSlugs, group.role_ids) })),
    profiles: profiles.map((profile) => ({
      slug: profile.slug,
      loginName: profile.login_name,
      roles: slugs(roleSlugs, profile.role_ids),
      groups: slugs(groupSlugs, profile.group_ids),
      connectionLimit: profile.connection_limit,
      logins: profile.logins.map((login) => ({
        suffix: login.suffix as LoginSuffix,
        validUntil: getLoginEnd(login, profile),
      })),
    })),
  }
}

export interface Change<R> {
  readonly result: R
  readonly verifiers?: Readonly<Record<string, string>>
}

/**
 * Changes database and stored state together. If the commit fails, the database is ahead until the next change or
 * sweep.
 */
export async function changeAccess<R>(
  ctx: WorkspaceCtx,
  integrationCode: string,
  work: (ctx: WorkspaceCtx, database: OpenDatabase, storedAccess: StoredAccess) => Promise<Change<R>>,
): Promise<R> {
  const database = await openDatabase(ctx, integrationCode)
  return await transaction(ctx, async (ctx) => {
    await lockAccess(ctx, database.workspaceId)
    const { result, verifiers } = await work(ctx, database, await loadStored(ctx, database))
    const access = toAccess(await loadStored(ctx, database))
    await withClusterErrors(() =>
      applyAccess(database.cluster, { key: database.key, access, ...(verifiers && { verifiers }) }),
    )
    return result
  })
}

export async function withClusterErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WorkspaceDbError)) throw error
    throw new AppError('unavailable', error.message, { cause: error })
  }
}

/** Deterministic, so that a change runs exactly the statements of its plan. */
export function createUniqueSlug(name: string, taken: readonly { readonly slug: string }[]): string {
  for (let attempt = 0; ; attempt += 1) {
    const slug = createHash('sha256').update(`${attempt} ${name.toLowerCase()}`).digest('hex').slice(0, 8)
    if (taken.every((item) => item.slug !== slug)) return slug
  }
}

export function getByCode<R extends { readonly trellis_code: string }>(
  rows: readonly R[],
  code: string,
  what: string,
): R {
  const row = rows.find((candidate) => candidate.trellis_code === code)
  if (!row) throw new AppError('not_found', `There is no such ${what}.`)
  return row
}

export function toIds(
  rows: readonly { readonly id: number; readonly trellis_code: string }[],
  codes: readonly string[],
  what: string,
): number[] {
  return [...new Set(codes)].map((code) => getByCode(rows, code, what).id)
}

export const toCodes = (
  rows: readonly { readonly id: number; readonly trellis_code: string }[],
  ids: readonly number[],
): string[] => rows.filter((row) => ids.includes(row.id)).map((row) => row.trellis_code)

export function assertNameFree(
  rows: readonly { readonly id: number; readonly name: string | null }[],
  { id, name, what }: { id?: number; name: string; what: string },
): void {
  const isTaken = rows.some((row) => row.id !== id && row.name?.toLowerCase() === name.toLowerCase())
  if (isTaken)
    throw new AppError('conflict', `There is a ${what} of this name. Choose another one.`, {
      source: { pointer: '/name' },
    })
}
