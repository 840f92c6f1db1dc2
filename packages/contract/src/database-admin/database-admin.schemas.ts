import * as z from 'zod/mini'
import { namedThing } from '../accounts/names.ts'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'
import { DatabaseParams, IntegrationCode } from '../explorer/explorer.schemas.ts'
import { ObjectName } from '../explorer/names.ts'

export { DatabaseParams }

const Code = z.string().check(z.minLength(1), z.maxLength(64))
export const DatabaseRoleParams = z.extend(DatabaseParams, { role_trellis_code: Code })
export const RoleCodeParams = z.extend(WorkspaceParams, { role_trellis_code: Code })
export const DatabaseGroupParams = z.extend(DatabaseParams, { group_trellis_code: Code })
export const DatabaseProfileParams = z.extend(DatabaseParams, { profile_trellis_code: Code })
export const SessionParams = z.extend(DatabaseParams, { pid: z.coerce.number().check(z.int(), z.minimum(1)) })

/** `reader`, `writer` and `admin` each include the one before; the others are for one kind of use. */
const TEMPLATES = ['reader', 'writer', 'admin', 'analyst', 'loader', 'bi'] as const
const Template = z.enum(TEMPLATES)
export const RoleTemplate = z.object({
  template: Template,
  label: z.string(),
  description: z.string(),
  /** `analyst` and `bi` read every schema. */
  needs_schemas: z.boolean(),
  rights: z.array(z.string()),
})

export const Grant = z.object({ template: Template, schema_name: z.nullable(ObjectName) })
const Grants = z.array(Grant).check(z.minLength(1, 'Choose at least one right'), z.maxLength(100))

export const DatabaseRole = z.object({
  role_trellis_code: z.string(),
  name: z.string(),
  description: z.string(),
  grants: z.array(Grant),
  is_built_in: z.boolean(),
  member_count: z.int(),
  created_at: Instant,
})
export type DatabaseRole = z.infer<typeof DatabaseRole>
const Description = z._default(z.string().check(z.maxLength(500), visibleText), '')
export const DatabaseRoleCreate = z.object({
  integration_trellis_code: IntegrationCode,
  name: namedThing('Role name'),
  description: Description,
  grants: Grants,
})
export const DatabaseRoleUpdate = z.extend(DatabaseRoleCreate, { role_trellis_code: Code })

const Codes = z.array(Code).check(z.maxLength(500))
export const DatabaseGroup = z.object({
  group_trellis_code: z.string(),
  name: z.string(),
  description: z.string(),
  role_trellis_codes: z.array(z.string()),
  profile_trellis_codes: z.array(z.string()),
  created_at: Instant,
})
export type DatabaseGroup = z.infer<typeof DatabaseGroup>
export const DatabaseGroupCreate = z.object({
  integration_trellis_code: IntegrationCode,
  name: namedThing('Group name'),
  description: Description,
  role_trellis_codes: Codes,
  profile_trellis_codes: Codes,
})
export const DatabaseGroupUpdate = z.extend(DatabaseGroupCreate, { group_trellis_code: Code })

const Login = z.object({
  user_name: z.string(),
  expires_at: z.nullable(Instant),
  /** Set while the previous password still works after a rotation. */
  ends_at: z.nullable(Instant),
})
const shared = {
  profile_trellis_code: z.string(),
  role_trellis_codes: z.array(z.string()),
  group_trellis_codes: z.array(z.string()),
  logins: z.array(Login),
  connection_limit: z.int(),
  created_at: Instant,
}
export const DatabaseProfile = z.object({
  ...shared,
  name: z.string(),
  email: z.string(),
  trellis_user_code: z.string(),
  workspace_role: z.nullable(z.string()),
  has_external_access: z.boolean(),
})
export type DatabaseProfile = z.infer<typeof DatabaseProfile>
export const ExternalProfile = z.object({
  ...shared,
  name: z.string(),
  description: z.string(),
  expires_at: z.nullable(Instant),
  last_seen_at: z.nullable(Instant),
})
export type ExternalProfile = z.infer<typeof ExternalProfile>

export const Secret = z.object({ user_name: z.string(), password: z.string(), expires_at: z.nullable(Instant) })
export const ProfileWithSecret = z.object({ profile: DatabaseProfile, secret: z.nullable(Secret) })
export const ExternalProfileWithSecret = z.object({ profile: ExternalProfile, secret: Secret })

export const DatabaseProfileCreate = z.object({
  integration_trellis_code: IntegrationCode,
  trellis_user_code: Code,
  role_trellis_codes: Codes,
  group_trellis_codes: Codes,
})
export const DatabaseProfileUpdate = z.object({
  integration_trellis_code: IntegrationCode,
  profile_trellis_code: Code,
  role_trellis_codes: Codes,
  group_trellis_codes: Codes,
})
/** Defaults to what the roles need. */
const ConnectionLimit = z.optional(z.int().check(z.minimum(1), z.maximum(50)))
/** Login names are shared by all workspaces of the server, so a name may be taken. */
export const LoginName = z
  .string()
  .check(
    z.trim(),
    z.maxLength(60, 'Use at most 60 characters'),
    z.regex(
      /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/,
      'Use lower-case letters, digits and single underscores, in at least two parts: shop_anna',
    ),
  )
export const LoginNameQuestion = z.object({
  integration_trellis_code: IntegrationCode,
  name: z.optional(z.string().check(z.maxLength(200), visibleText)),
  profile_trellis_code: z.optional(Code),
  role_trellis_codes: Codes,
  group_trellis_codes: Codes,
})
export const SuggestedLoginName = z.object({ login_name: z.string() })
export const ExternalAccess = z.object({
  integration_trellis_code: IntegrationCode,
  profile_trellis_code: Code,
  has_external_access: z.boolean(),
  expires_at: z.optional(z.nullable(Instant)),
  connection_limit: ConnectionLimit,
  /** Defaults to workspace, role and first name. Cannot be changed later. */
  login_name: z.optional(LoginName),
})
export const ExternalProfileCreate = z.object({
  integration_trellis_code: IntegrationCode,
  name: namedThing('Profile name'),
  description: Description,
  role_trellis_codes: Codes,
  group_trellis_codes: Codes,
  expires_at: z._default(z.nullable(Instant), null),
  connection_limit: ConnectionLimit,
  /** Defaults to workspace, role and profile name. Cannot be changed later. */
  login_name: z.optional(LoginName),
})
export const ExternalProfileUpdate = z.extend(z.omit(ExternalProfileCreate, { login_name: true }), {
  profile_trellis_code: Code,
})
export const ExternalProfileRotate = z.object({
  integration_trellis_code: IntegrationCode,
  profile_trellis_code: Code,
  /** How long the old password stays valid. */
  overlap_minutes: z._default(z.int().check(z.minimum(0), z.maximum(7 * 24 * 60)), 24 * 60),
})

const Cidr = z.string().check(z.trim(), z.minLength(1, 'Field required'), z.maxLength(50))
const ruleShape = {
  name: namedThing('Rule name'),
  cidr: Cidr,
  /** Null: every login. */
  profile_trellis_code: z._default(z.nullable(Code), null),
  expires_at: z._default(z.nullable(Instant), null),
}
export const FirewallRule = z.object({
  id: z.int(),
  name: z.string(),
  cidr: z.string(),
  profile_trellis_code: z.nullable(z.string()),
  expires_at: z.nullable(Instant),
  is_expired: z.boolean(),
  /** True when the rules, alone or together, match every address. */
  is_any_address: z.boolean(),
})
export type FirewallRule = z.infer<typeof FirewallRule>
export const Firewall = z.object({
  rules: z.array(FirewallRule),
  your_address: z.string(),
  /** `outside`: this server's firewall is not managed by Trellis; `instructions` says what to configure. */
  enforcement: z.enum(['applied', 'outside']),
  instructions: z.nullable(z.string()),
})
/** Save although the rules would match every address. */
const AcceptsAnyAddress = z._default(z.boolean(), false)
export const FirewallRuleCreate = z.object({
  integration_trellis_code: IntegrationCode,
  ...ruleShape,
  accepts_any_address: AcceptsAnyAddress,
})
export const FirewallPut = z.object({
  integration_trellis_code: IntegrationCode,
  rules: z.array(z.object(ruleShape)).check(z.maxLength(200)),
  /** Save although the caller's own address could not connect any more. */
  accepts_lock_out: z._default(z.boolean(), false),
  accepts_any_address: AcceptsAnyAddress,
})

export const Connection = z.object({
  host: z.string(),
  port: z.int(),
  database: z.string(),
  ssl_mode: z.enum(['disable', 'require', 'verify-full']),
  certificate: z.nullable(z.string()),
  is_reachable_from_outside: z.boolean(),
  notes: z.array(z.string()),
})
export type Connection = z.infer<typeof Connection>
export const ConnectionTestRequest = z.object({
  integration_trellis_code: IntegrationCode,
  user_name: z.string().check(z.maxLength(63)),
  password: z.string().check(z.maxLength(200)),
})
export const ConnectionTest = z.object({ works: z.boolean(), message: z.string(), milliseconds: z.int() })

const RIGHTS = ['connect', 'read', 'write', 'create', 'own'] as const
export const Rights = z.object({
  schemas: z.array(z.string()),
  lines: z.array(
    z.object({
      profile_trellis_code: z.string(),
      name: z.string(),
      kind: z.enum(['member', 'external']),
      cells: z.array(
        z.object({
          schema_name: z.string(),
          rights: z.array(z.object({ right: z.enum(RIGHTS), through: z.array(z.string()) })),
          /** The database's privileges differ from what was configured here. */
          has_drifted: z.boolean(),
        }),
      ),
    }),
  ),
})
export const ReachQuestion = z.object({
  integration_trellis_code: IntegrationCode,
  profile_trellis_code: Code,
  address: Cidr,
  schema_name: ObjectName,
  table_name: z.nullable(ObjectName),
  action: z.enum(['connect', 'read', 'write', 'create']),
})
export const Reach = z.object({
  answer: z.boolean(),
  /** From the outermost check to the innermost; the first that fails decides. */
  steps: z.array(z.object({ label: z.string(), holds: z.boolean(), because: z.string() })),
})

export const PlannedChange = z.union([
  z.object({ kind: z.literal('role'), role: z.extend(DatabaseRoleCreate, { role_trellis_code: z.optional(Code) }) }),
  z.object({
    kind: z.literal('group'),
    group: z.extend(DatabaseGroupCreate, { group_trellis_code: z.optional(Code) }),
  }),
  z.object({
    kind: z.literal('external_profile'),
    profile: z.extend(ExternalProfileCreate, { profile_trellis_code: z.optional(Code) }),
  }),
  z.object({ kind: z.literal('firewall'), firewall: FirewallPut }),
])
export const SqlPlan = z.object({ statements: z.array(z.string()) })

export const DatabaseSession = z.object({
  pid: z.int(),
  user_name: z.string(),
  profile_name: z.nullable(z.string()),
  application: z.string(),
  address: z.nullable(z.string()),
  state: z.string(),
  since: Instant,
  query_since: z.nullable(Instant),
})
