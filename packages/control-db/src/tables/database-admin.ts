import type { ColumnType, Generated } from 'kysely'
import type { Stamp } from './identity.ts'

type JsonList<T> = ColumnType<T[], string | undefined, string>

interface OfDatabase {
  id: Generated<number>
  account_id: number
  workspace_id: number
  integration_code: string
}
interface NamedDatabaseRow extends OfDatabase {
  trellis_code: string
  slug: string
  description: Generated<string>
  created_at: Stamp
}

export interface DatabaseAdminTables {
  database_roles: NamedDatabaseRow & {
    name: string
    grants: JsonList<{ template: string; schema_name: string | null; tag: string | null }>
    is_built_in: Generated<boolean>
  }
  database_groups: NamedDatabaseRow & { name: string; role_ids: Generated<number[]> }
  database_profiles: NamedDatabaseRow & {
    kind: 'member' | 'external'
    profile_id: number | null
    name: string | null
    role_ids: Generated<number[]>
    group_ids: Generated<number[]>
    login_name: string | null
    logins: JsonList<{ suffix: string; ends_at: string | null; made_at: string; verifier?: string }>
    connection_limit: Generated<number>
    expires_at: Date | null
    last_seen_at: Date | null
  }
  firewall_rules: OfDatabase & {
    name: string
    cidr: string
    database_profile_id: number | null
    expires_at: Date | null
    created_at: Stamp
  }
}
