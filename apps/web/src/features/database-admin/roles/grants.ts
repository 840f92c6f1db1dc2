import type { DatabaseRole, RoleTemplate } from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'

export type RoleGrant = DatabaseRole['grants'][number]
export type Template = RoleGrant['template']

/** Each includes the ones before it. */
const LADDER: readonly Template[] = ['reader', 'writer', 'admin']

const isSame = (a: RoleGrant, b: RoleGrant) => a.template === b.template && a.schema_name === b.schema_name

export function hasGrant(grants: readonly RoleGrant[], grant: RoleGrant): boolean {
  return grants.some((candidate) => isSame(candidate, grant))
}

/** A stronger template on the same schema that includes this one. */
export function findStrongerTemplate(
  grants: readonly RoleGrant[],
  { template, schema_name }: RoleGrant,
): Template | null {
  const step = LADDER.indexOf(template)
  if (step === -1) return null
  const stronger = LADDER.slice(step + 1)
  return stronger.find((candidate) => hasGrant(grants, { template: candidate, schema_name })) ?? null
}

/** Drops weaker grants on the same schema. */
export function withGrant(grants: readonly RoleGrant[], grant: RoleGrant, isOn: boolean): RoleGrant[] {
  const rest = grants.filter((candidate) => !isSame(candidate, grant))
  if (!isOn) return rest
  const weaker = LADDER.slice(0, Math.max(0, LADDER.indexOf(grant.template)))
  return [...rest.filter((item) => item.schema_name !== grant.schema_name || !weaker.includes(item.template)), grant]
}

/** Includes schemas the role still names after they were deleted. */
export function matrixSchemas(
  schemas: readonly string[],
  grants: readonly RoleGrant[],
): { name: string; isGone: boolean }[] {
  const named = grants.flatMap((grant) => (grant.schema_name === null ? [] : [grant.schema_name]))
  const removedSchemas = [...new Set(named)].filter((name) => !schemas.includes(name))
  return [
    ...schemas.map((name) => ({ name, isGone: false })),
    ...removedSchemas.map((name) => ({ name, isGone: true })),
  ]
}

type Templates = readonly z.infer<typeof RoleTemplate>[]

/** `Reader on sales, staging; Analyst`. */
export function formatGrants(grants: readonly RoleGrant[], templates: Templates): string {
  const byTemplate = new Map<Template, string[]>()
  for (const { template, schema_name } of grants) {
    const schemas = byTemplate.get(template) ?? []
    byTemplate.set(template, schema_name === null ? schemas : [...schemas, schema_name])
  }
  return [...byTemplate]
    .map(([template, schemas]) => {
      const label = templates.find((candidate) => candidate.template === template)?.label ?? template
      return schemas.length === 0 ? label : `${label} on ${schemas.join(', ')}`
    })
    .join('; ')
}
