import type {
  Connection,
  DatabaseGroup,
  DatabaseProfile,
  DatabaseRole,
  DatabaseSession,
  ExternalProfile,
  Firewall,
  Rights,
} from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'
import { daysFromNow } from './fake-company.ts'

export interface FakeDatabaseAdmin {
  roles: DatabaseRole[]
  groups: DatabaseGroup[]
  profiles: DatabaseProfile[]
  externals: ExternalProfile[]
  firewall: z.infer<typeof Firewall>
  connection: Connection
  sessions: z.infer<typeof DatabaseSession>[]
  rights: z.infer<typeof Rights>
}

export const FAKE_PASSWORD = 'k7Qm-93xd-PqWz-shown-once'

export const role = (code: string, name: string, more: Partial<DatabaseRole> = {}): DatabaseRole => ({
  role_trellis_code: code,
  name,
  description: '',
  grants: [{ template: 'reader', schema_name: 'public' }],
  is_built_in: false,
  member_count: 0,
  created_at: daysFromNow(-30),
  ...more,
})

export const external = (code: string, name: string, more: Partial<ExternalProfile> = {}): ExternalProfile => ({
  profile_trellis_code: code,
  name,
  description: '',
  role_trellis_codes: ['r-reader'],
  group_trellis_codes: [],
  logins: [{ user_name: `x_${code}`, expires_at: null, ends_at: null }],
  connection_limit: 5,
  created_at: daysFromNow(-12),
  expires_at: null,
  last_seen_at: daysFromNow(-0.1),
  ...more,
})

const through = (...path: string[]) => path

export function createDatabaseAdmin(change: Partial<FakeDatabaseAdmin> = {}): FakeDatabaseAdmin {
  return {
    roles: [
      role('r-reader', 'Reader', { is_built_in: true, member_count: 3 }),
      role('r-analyst', 'Analyst', {
        description: 'Reads everything',
        grants: [{ template: 'analyst', schema_name: null }],
        member_count: 2,
      }),
      role('r-loader', 'Nightly load', {
        grants: [
          { template: 'loader', schema_name: 'staging' },
          { template: 'reader', schema_name: 'sales' },
        ],
      }),
    ],
    groups: [
      {
        group_trellis_code: 'g-finance',
        name: 'Finance',
        description: 'Month end',
        role_trellis_codes: ['r-analyst'],
        profile_trellis_codes: ['p-grace'],
        created_at: daysFromNow(-20),
      },
    ],
    profiles: [
      {
        profile_trellis_code: 'p-ada',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        trellis_user_code: 'u-ada',
        workspace_role: 'workspace_admin',
        role_trellis_codes: ['r-reader'],
        group_trellis_codes: [],
        logins: [{ user_name: 'u_ada', expires_at: null, ends_at: null }],
        has_external_access: true,
        connection_limit: 5,
        created_at: daysFromNow(-40),
      },
      {
        profile_trellis_code: 'p-grace',
        name: 'Grace Hopper',
        email: 'grace@example.com',
        trellis_user_code: 'u-grace',
        workspace_role: 'workspace_editor',
        role_trellis_codes: [],
        group_trellis_codes: ['g-finance'],
        logins: [],
        has_external_access: false,
        connection_limit: 5,
        created_at: daysFromNow(-40),
      },
    ],
    externals: [
      external('x-bi', 'Dashboard tool', { role_trellis_codes: ['r-analyst'] }),
      external('x-old', 'Old import', { expires_at: daysFromNow(-3), last_seen_at: null }),
    ],
    firewall: {
      rules: [
        {
          id: 1,
          name: 'Office',
          cidr: '203.0.113.0/24',
          profile_trellis_code: null,
          expires_at: null,
          is_expired: false,
          is_any_address: false,
        },
      ],
      your_address: '203.0.113.7',
      enforcement: 'applied',
      instructions: null,
    },
    connection: {
      host: 'db.example.com',
      port: 5433,
      database: 'growth',
      ssl_mode: 'require',
      certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      is_reachable_from_outside: true,
      notes: [],
    },
    sessions: [
      {
        pid: 4711,
        user_name: 'x_x-bi',
        profile_name: 'Dashboard tool',
        application: 'psql',
        address: '203.0.113.7',
        state: 'idle',
        since: daysFromNow(-0.05),
        query_since: null,
      },
    ],
    rights: {
      schemas: ['public', 'sales', 'staging'],
      lines: [
        {
          profile_trellis_code: 'p-ada',
          name: 'Ada Lovelace',
          kind: 'member',
          cells: [
            {
              schema_name: 'public',
              rights: [
                { right: 'connect', through: through('Workspace admin') },
                { right: 'read', through: through('Workspace admin', 'Reader') },
                { right: 'write', through: through('Workspace admin') },
              ],
              has_drifted: false,
            },
            { schema_name: 'sales', rights: [], has_drifted: false },
            {
              schema_name: 'staging',
              rights: [{ right: 'read', through: through('Reader') }],
              has_drifted: true,
            },
          ],
        },
        {
          profile_trellis_code: 'x-bi',
          name: 'Dashboard tool',
          kind: 'external',
          cells: ['public', 'sales', 'staging'].map((schema_name) => ({
            schema_name,
            rights: [{ right: 'read' as const, through: through('Finance', 'Analyst') }],
            has_drifted: false,
          })),
        },
      ],
    },
    ...change,
  }
}
