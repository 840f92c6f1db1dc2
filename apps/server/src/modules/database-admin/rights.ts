import type { Rights } from '@trellis/contract/database-admin/database-admin.schemas'
import { toWorkspaceNames, type WorkspaceNames } from '@trellis/workspace-db/names'
import { type Access, listGrants, listHeldRoles } from '@trellis/workspace-db/roles/access'
import { toGroupRoleName, toProfileRoleName, buildRoleName } from '@trellis/workspace-db/roles/access-names'
import {
  type EffectiveRights,
  findPathTo,
  readRights,
  type SchemaRights,
} from '@trellis/workspace-db/roles/effective-rights'
import { getSchemaRoles } from '@trellis/workspace-db/schemas/schema-roles'
import type { infer as Infer } from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { listWorkspaceMembers } from '../workspace-members/workspace-members.service.ts'
import type { ProfileRow, StoredAccess } from './access.repository.ts'
import { getLoginEnd, loadStored, withClusterErrors, toAccess } from './access-state.ts'
import { getLoginName } from './logins/login-name.ts'

type Right = 'connect' | 'read' | 'write' | 'create' | 'own'

function computeExpectedRights(access: Access, slug: string, tag: string): Set<Right> {
  const profile = access.profiles.find((accessProfile) => accessProfile.slug === slug)
  if (!profile) return new Set()
  const held = listHeldRoles(access, profile)
  const templates = listGrants(access, profile)
    .filter((grant) => grant.tag === null || grant.tag === tag)
    .map((grant) => grant.template)
  const isAdmin = held.includes('rule') || templates.includes('admin')
  const isWriter = isAdmin || held.includes('write') || templates.includes('writer') || templates.includes('loader')
  const isReader = isWriter || held.includes('read') || templates.length > 0
  return new Set<Right>([
    ...(isReader ? (['read'] as const) : []),
    ...(isWriter ? (['write'] as const) : []),
    ...(isAdmin ? (['create', 'own'] as const) : []),
  ])
}

const toRights = (rights: SchemaRights): Right[] => [
  ...(rights.canRead ? (['read'] as const) : []),
  ...(rights.canWrite ? (['write'] as const) : []),
  ...(rights.canCreate ? (['create'] as const) : []),
  ...(rights.isOwner ? (['own'] as const) : []),
]

function buildLabels(names: WorkspaceNames, { roles, groups }: StoredAccess): Map<string, string> {
  return new Map([
    ...roles.map((role) => [buildRoleName(names, role.slug), role.name] as const),
    ...groups.map((group) => [toGroupRoleName(names, group.slug), group.name] as const),
  ])
}

function toRightsCell(
  rights: SchemaRights,
  about: {
    names: WorkspaceNames
    labels: Map<string, string>
    access: Access
    effective: EffectiveRights
    slug: string
    hasOthers: boolean
  },
) {
  const { owner, writer, reader } = getSchemaRoles(about.names, rights.tag)
  const target: Record<Exclude<Right, 'connect'>, string> = { read: reader, write: writer, create: owner, own: owner }
  const through = (right: Exclude<Right, 'connect'>) =>
    (findPathTo(about.effective.memberships, rights.profile, target[right]) ?? []).flatMap(
      (role) => about.labels.get(role) ?? [],
    )
  const actual = toRights(rights)
  const expected = computeExpectedRights(about.access, about.slug, rights.tag)
  return {
    schema_name: rights.schema,
    rights: actual.map((right) => ({ right, through: through(right as Exclude<Right, 'connect'>) })),
    has_drifted:
      actual.length !== expected.size ||
      actual.some((right) => !expected.has(right)) ||
      about.hasOthers ||
      (rights.canRead && about.effective.gaps.has(rights.schema)),
  }
}

function listRolesOfProfile({ profiles }: Access, slug: string, names: WorkspaceNames): string[] {
  const profile = profiles.find((accessProfile) => accessProfile.slug === slug)
  return [
    ...(profile?.roles ?? []).map((role) => buildRoleName(names, role)),
    ...(profile?.groups ?? []).map((group) => toGroupRoleName(names, group)),
    names.guest,
  ]
}

export async function getRights(ctx: WorkspaceCtx, code: string): Promise<Infer<typeof Rights>> {
  const database = await openDatabase(ctx, code)
  const storedAccess = await loadStored(ctx, database)
  const people = await listWorkspaceMembers(ctx)
  const names = toWorkspaceNames(database.key)
  const toRoleName = (profile: ProfileRow) => toProfileRoleName(names, profile.slug)
  const effective = await withClusterErrors(() =>
    database.cluster.withAdmin(database.database, (client) =>
      readRights(
        client,
        names,
        storedAccess.profiles.map((profile) => toRoleName(profile)),
      ),
    ),
  )
  const labels = buildLabels(names, storedAccess)
  const access = toAccess(storedAccess)
  const now = ctx.clock.now()
  const formatProfileName = (profile: ProfileRow) => {
    const person = people.find((candidate) => candidate.profile.id === profile.profile_id)?.profile
    return profile.name ?? (person ? `${person.first_name} ${person.surname}`.trim() : 'Left the workspace')
  }
  return {
    schemas: [...new Set(effective.rights.map((schemaRights) => schemaRights.schema))],
    lines: storedAccess.profiles.map((profile) => {
      const valid = profile.logins.filter((login) => (getLoginEnd(login, profile) ?? Infinity) > now)
      const logins = valid.map((login) => getLoginName(database.key, profile, login.suffix))
      const connect = logins.length > 0 ? [{ right: 'connect' as const, through: logins }] : []
      // Roles granted outside Trellis may require SET ROLE.
      const known = new Set(listRolesOfProfile(access, profile.slug, names))
      const hasOthers = effective.memberships.some(
        (membership) => membership.member === toRoleName(profile) && !known.has(membership.role),
      )
      const about = { names, labels, access, effective, slug: profile.slug, hasOthers }
      return {
        profile_trellis_code: profile.trellis_code,
        name: formatProfileName(profile),
        kind: profile.kind,
        cells: effective.rights
          .filter((schemaRights) => schemaRights.profile === toRoleName(profile))
          .map((schemaRights) => toRightsCell(schemaRights, about))
          .map((cell) => ({ ...cell, rights: [...connect, ...cell.rights] })),
      }
    }),
  }
}
