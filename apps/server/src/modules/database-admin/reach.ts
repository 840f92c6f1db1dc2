import type { Reach } from '@trellis/contract/database-admin/database-admin.schemas'
import { canEnforceFirewall } from '@trellis/workspace-db/firewall/apply-firewall'
import { acceptsRemoteConnections, readServerEndpoint } from '@trellis/workspace-db/firewall/server-face'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { type RightAnswer, type RightQuestion, findRight } from '@trellis/workspace-db/roles/table-right'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import type { ProfileRow } from './access.repository.ts'
import { getLoginEnd, getByCode, loadStored, withClusterErrors } from './access-state.ts'
import { stripHostMask, containsRange, readCidr } from './addresses/cidr.ts'
import { findRules } from './firewall.repository.ts'
import { findDecidingRule, isLive, listLoginNames } from './firewall-state.ts'

interface Question {
  readonly integration_trellis_code: string
  readonly profile_trellis_code: string
  readonly address: string
  readonly schema_name: string
  readonly table_name: string | null
  readonly action: RightQuestion['action']
}
interface Step {
  readonly label: string
  readonly holds: boolean
  readonly because: string
}

export async function checkReach(ctx: WorkspaceCtx, question: Question): Promise<Infer<typeof Reach>> {
  const database = await openDatabase(ctx, question.integration_trellis_code)
  const storedAccess = await loadStored(ctx, database)
  const profile = getByCode(storedAccess.profiles, question.profile_trellis_code, 'profile')
  const address = readCidr(question.address, '/address')
  const right = await withClusterErrors(() => findTheRight(database, profile, question))
  if (!right) throw new AppError('not_found', 'There is no such schema or table.')
  const steps = [
    await networkStep(database, address),
    await firewallStep(ctx, database, { profile, address }),
    await loginStep(ctx, database, profile),
    ...(question.action === 'connect' ? [] : rightSteps(question, right)),
  ]
  return { answer: steps.every((step) => step.holds), steps }
}

async function findTheRight(database: OpenDatabase, profile: ProfileRow, question: Question) {
  const { schema_name: schema, table_name: table, action } = question
  if (schema.includes('\0') || table?.includes('\0')) return undefined
  return await findRight(database.cluster, { key: database.key, slug: profile.slug, schema, table, action })
}

async function networkStep({ cluster }: OpenDatabase, address: string): Promise<Step> {
  const label = 'The server can be reached'
  if (!canEnforceFirewall(cluster)) {
    return { label, holds: true, because: 'Trellis does not run this server; its own network rules apply first.' }
  }
  const isOpen = acceptsRemoteConnections(await readServerEndpoint(cluster))
  const isHere = containsRange('127.0.0.0/8', address) || containsRange('::1/128', address)
  return {
    label,
    holds: isOpen || isHere,
    because: isOpen
      ? 'It listens on the network.'
      : isHere
        ? 'The address is this machine’s own.'
        : 'It listens on this machine alone.',
  }
}

async function firewallStep(
  ctx: WorkspaceCtx,
  database: OpenDatabase,
  { profile, address }: { profile: ProfileRow; address: string },
): Promise<Step> {
  const rules = (await findRules(ctx, database)).filter((rule) => isLive(rule, ctx.clock.now()))
  const rule = findDecidingRule(rules, { address, profileId: profile.id })
  return {
    label: 'The firewall allows the address',
    holds: rule !== undefined,
    because: rule
      ? `Rule “${rule.name}” allows ${rule.cidr}.`
      : `No rule allows ${stripHostMask(address)} for this profile.`,
  }
}

async function loginStep(
  ctx: WorkspaceCtx,
  { cluster, key, database }: OpenDatabase,
  profile: ProfileRow,
): Promise<Step> {
  const label = 'The profile has a login that may connect'
  const { rows } = await cluster.admin.query<{ name: string; until: Date | null; can: boolean }>(
    `select rolname as name, case when isfinite(rolvaliduntil) then rolvaliduntil end as until,
            rolcanlogin and has_database_privilege(oid, $2, 'connect') as can
       from pg_roles where rolname = any($1) order by rolvaliduntil desc nulls first`,
    [listLoginNames({ key }, profile), toWorkspaceNames(key).database],
  )
  const valid = rows.find((row) => row.can && (row.until === null || row.until > ctx.clock.now()))
  if (valid) return { label, holds: true, because: `Login ${valid.name} may connect to ${database}.` }
  const ended = rows[0]?.until ?? profile.logins.map((login) => getLoginEnd(login, profile))[0]
  return {
    label,
    holds: false,
    because:
      rows.length === 0
        ? 'It has no login for outside tools.'
        : `Its login ended on ${ended?.toISOString() ?? 'an unknown day'}.`,
  }
}

function rightSteps({ action, schema_name, table_name }: Question, right: RightAnswer): Step[] {
  const usage = {
    label: 'Its roles give access to the schema',
    holds: right.canUse,
    because: right.canUse
      ? `It may use schema “${schema_name}”.`
      : `None of its roles reaches schema “${schema_name}”.`,
  }
  if (action === 'create') {
    const because = right.canCreate ? 'It may make tables here.' : 'None of its roles may make tables here.'
    return [usage, { label: 'Its roles allow creating tables', holds: right.canCreate, because }]
  }
  const verb = action === 'write' ? 'write' : 'read'
  if (table_name === null || right.canDo === null) return [usage, tablesStep(verb, right)]
  const because = right.canDo ? `It may ${verb} “${table_name}”.` : `None of its roles may ${verb} “${table_name}”.`
  return [usage, { label: `Its roles allow to ${verb} the table`, holds: right.canDo, because }]
}

/** Without a table: all tables of the schema, or future ones if it is empty. */
function tablesStep(verb: 'read' | 'write', { tables, openTables, isOpenByDefault }: RightAnswer): Step {
  const label = `Its roles allow to ${verb} the tables`
  if (tables === 0) {
    const because = isOpenByDefault
      ? `There is no table yet; it may ${verb} those to come.`
      : `There is no table yet, and none of its roles may ${verb} those to come.`
    return { label, holds: isOpenByDefault, because }
  }
  const all = tables === 1 ? 'the one table' : `all ${tables} tables`
  if (openTables === tables) return { label, holds: true, because: `It may ${verb} ${all} of the schema.` }
  const because =
    openTables === 0
      ? `None of its roles may ${verb} a table of the schema.`
      : `It may ${verb} ${openTables} of the ${tables} tables of the schema.`
  return { label, holds: false, because }
}
