import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { MailboxMessage } from '@trellis/contract/mailbox/mailbox.schemas'
import type { Notifications } from '@trellis/contract/notifications/notifications.endpoints'
import type { Profile } from '@trellis/contract/profile/profile.schemas'
import { createAi, type FakeAi } from './ai/fake-ai.ts'
import { createBilling, type FakeBilling } from './fake-billing.ts'
import { createCompany, type Company } from './fake-company.ts'
import { createDatabaseAdmin, type FakeDatabaseAdmin } from './fake-database-admin.ts'
import { createDataflows, type FakeDataflows } from './dataflows/fake-dataflows.ts'
import { createRuns, type FakeRuns } from './dataflows/fake-runs.ts'
import { createExplorer, type FakeExplorer } from './fake-explorer.ts'
import { createIntegrations, type FakeIntegrations } from './fake-integrations.ts'
import { createSparks, type FakeSparks } from './sparks/fake-sparks.ts'
import { createUploads, type FakeUploads } from './fake-uploads.ts'

/** One person's data as the server knows it. Tests change it before and read it after. */
export interface FakeWorld {
  profile: Profile
  password: string
  accounts: Account[]
  company: Company
  sessions: { id: string; device: string; ip: string; created_at: string; last_used_at: string; is_current: boolean }[]
  secondFactor: { enabled: boolean; recovery_codes_left: number }
  mails: MailboxMessage[]
  notifications: Notifications
  billing: FakeBilling
  explorer: FakeExplorer
  uploads: FakeUploads
  integrations: FakeIntegrations
  databaseAdmin: FakeDatabaseAdmin
  dataflows: FakeDataflows
  runs: FakeRuns
  ai: FakeAi
  sparks: FakeSparks
  /** Endpoint ids that fail until removed. */
  broken: Set<string>
  late: Map<string, Promise<void>>
  isSignedIn: boolean
}

export const RIGHT_CODE = '123456'
export const RECOVERY_CODES = [
  '7k2m-9xqd',
  'b4tw-03hn',
  'q8vz-51ce',
  'r6yp-77fa',
  'd1sj-42gu',
  'm9lk-60xo',
  'z3ni-85we',
  'h5cb-19ty',
]

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function workspace(account: string, name: string, role: Account['workspaces'][number]['role'] = 'workspace_admin') {
  const address = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return {
    trellis_code: `w-${account}-${address}`,
    name,
    workspace_address: address,
    account_trellis_code: account,
    role,
  }
}

export function account(name: string, workspaces: string[], more: Partial<Account> = {}): Account {
  const code = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return {
    id: code.length,
    trellis_code: code,
    name,
    account_type: 'team',
    role: 'owner',
    stripe_plan_end_date: null,
    stripe_plan_renewal_date: null,
    stripe_plan_cancelled_at: null,
    workspaces: workspaces.map((other) => workspace(code, other)),
    ...more,
  }
}

export function createWorld(change: Partial<FakeWorld> = {}): FakeWorld {
  return {
    profile: {
      id: 1,
      trellis_user_code: 'u-ada',
      first_name: 'Ada',
      surname: 'Lovelace',
      email: 'ada@example.com',
      has_password: true,
      preferences: { themeMode: 'light' },
      flags: {},
    },
    password: 'Correct-horse-1',
    accounts: [
      account('Northwind', ['Growth', 'Finance', 'Supply chain']),
      account('Riverside Lab', ['Experiments'], { account_type: 'basic', role: 'account_view' }),
    ],
    company: createCompany(),
    sessions: [
      {
        id: '11111111-1111-4111-8111-111111111111',
        device: 'Chromium on Linux',
        ip: '127.0.0.1',
        created_at: minutesAgo(50),
        last_used_at: minutesAgo(0),
        is_current: true,
      },
      {
        id: '22222222-2222-4222-8222-222222222222',
        device: 'Safari on iPhone',
        ip: '203.0.113.7',
        created_at: minutesAgo(8000),
        last_used_at: minutesAgo(190),
        is_current: false,
      },
    ],
    secondFactor: { enabled: false, recovery_codes_left: 0 },
    notifications: { items: [], unread: 0, digest: 'off' },
    mails: [mail(2, 'Your activation code', '048213'), mail(1, 'Your reset code', '771904')],
    billing: createBilling(),
    explorer: createExplorer(),
    uploads: createUploads(),
    integrations: createIntegrations(),
    databaseAdmin: createDatabaseAdmin(),
    dataflows: createDataflows(),
    runs: createRuns(),
    ai: createAi(),
    sparks: createSparks(),
    broken: new Set(),
    late: new Map(),
    isSignedIn: true,
    ...change,
  }
}

function mail(id: number, subject: string, code: string): MailboxMessage {
  const text = `Hello Ada,\n\nEnter this code.\n\n    ${code}\n\nIt works for 15 minutes.\n\nSent by Trellis at http://localhost:4600`
  return {
    id,
    to: 'ada@example.com',
    from: 'Trellis <no-reply@trellis.local>',
    subject,
    received_at: minutesAgo(id === 2 ? 2 : 300),
    text,
    html: `<body style="margin:0;padding:32px;background:#f4f4f6;font-family:sans-serif"><div style="max-width:440px;margin:auto;padding:28px;background:#fff;border:1px solid #e4e4e9;border-radius:12px"><h1 style="font-size:20px">${subject}</h1><p>Hello Ada,</p><p style="font:600 24px monospace;letter-spacing:4px">${code}</p><p>It works for 15 minutes.</p></div></body>`,
  }
}
