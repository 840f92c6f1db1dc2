import type { Forma } from '@trellis/contract/formas/forma'
import type {
  IntegrationDescription,
  IntegrationDetails,
  PlatformDetails,
  Problem,
  RestTrialResult,
  SourcePreview,
  ValidationStatus,
} from '@trellis/contract/integrations/integrations.schemas'
import { daysFromNow } from './fake-company.ts'
import { platformFormas, queryFormas } from './fake-formas.ts'

export type FakeIntegration = IntegrationDetails &
  Pick<IntegrationDescription, 'used_by' | 'history'> & { check: ValidationStatus; patience: number }

export interface FakeIntegrations {
  platforms: PlatformDetails[]
  formas: Record<string, Forma>
  queryFormas: Record<string, Forma[]>
  list: FakeIntegration[]
  nextProblem: Problem | null
  nextRefusal: { pointer: string; detail: string } | null
  patience: number
  preview: SourcePreview
  trial: RestTrialResult
  secrets: Record<string, string>
}

const mark = (colour: string, path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${colour}" d="${path}"/></svg>`
const DRUM = 'M4 6c0-2 4-3 8-3s8 1 8 3v12c0 2-4 3-8 3s-8-1-8-3z'
const BARS = 'M4 20V10h4v10zM10 20V4h4v16zM16 20v-7h4v7z'
const BOX = 'M4 4h16v16H4z'

const platform = (code: string, name: string, more: Partial<PlatformDetails>): PlatformDetails => ({
  platform_trellis_code: code,
  name,
  summary: `Reads from ${name}.`,
  tags: ['source'],
  kinds: ['Extraction'],
  icon: mark('#4e4cd6', BOX),
  can_be_set_up: true,
  has_simulator: false,
  documentation: `# ${name}\n\nWhat you need:\n\n1. An account that may read.\n2. Its **key**.\n\nSee \`SELECT\` rights.`,
  oauth: null,
  ...more,
})

export function createPlatforms(): PlatformDetails[] {
  return [
    platform('postgresql', 'PostgreSQL', {
      summary: 'Reads tables of a PostgreSQL database and writes to them.',
      tags: ['source', 'destination', 'database'],
      kinds: ['Extraction', 'Load', 'Database'],
      icon: mark('#2f6792', DRUM),
    }),
    platform('google_ads', 'Google Ads', {
      summary: 'Campaigns, clicks and costs, by queries of your own.',
      tags: ['source', 'advertising'],
      icon: mark('#3c8bd9', BARS),
      has_simulator: true,
      oauth: {
        provider: 'Google',
        scopes: ['https://www.example.com/auth/adwords'],
        redirect_url: 'http://localhost:4600/sso/callback',
        has_app: false,
      },
    }),
    platform('google_analytics', 'Google Analytics', {
      summary: 'Visits and events by up to nine dimensions.',
      tags: ['source', 'analytics'],
      icon: mark('#e37400', BARS),
    }),
    platform('rest', 'REST source', {
      summary: 'Any web API: you describe it, and test it while you do.',
      tags: ['source', 'api'],
      icon: mark('#25984d', BOX),
    }),
    platform('sample_data', 'Sample data', {
      summary: 'A shop with orders, customers and ad spend, of any size.',
      tags: ['source', 'sample'],
      icon: mark('#c23492', BOX),
    }),
    platform('trellis_database', 'Trellis database', {
      summary: 'The workspace’s own database.',
      tags: ['source', 'destination', 'database'],
      kinds: ['Extraction', 'Load', 'Database'],
      icon: mark('#4e4cd6', DRUM),
      can_be_set_up: false,
    }),
  ]
}

export const NO_CHECK: ValidationStatus = {
  status: null,
  state: 'SETUP',
  started_at: null,
  finished_at: null,
  problem: null,
  found: [],
}

export const WORKS: ValidationStatus = {
  status: 'COMPLETED_SUCCESS',
  state: 'ACTIVE',
  started_at: daysFromNow(-0.1),
  finished_at: daysFromNow(-0.1),
  problem: null,
  found: [
    { label: 'Version', value: 'PostgreSQL 17.5' },
    { label: 'Tables', value: '42' },
  ],
}

export const WRONG_PASSWORD: Problem = {
  kind: 'configuration',
  message: 'The database refused the password of reader.',
  advice: 'Enter the password again, or let an admin of the database set a new one.',
  field: 'login.password',
}

export function fakeIntegration(more: Partial<FakeIntegration> = {}): FakeIntegration {
  const code = more.platform_trellis_code ?? 'postgresql'
  const found = createPlatforms().find((candidate) => candidate.platform_trellis_code === code)
  return {
    integration_trellis_code: 'i-shop',
    platform_trellis_code: code,
    platform_name: found?.name ?? code,
    icon: found?.icon ?? '',
    kinds: found?.kinds ?? ['Extraction'],
    name: 'Shop database',
    description: '',
    state: 'ACTIVE',
    is_managed: false,
    is_simulated: false,
    validation: 'COMPLETED_SUCCESS',
    validated_at: daysFromNow(-0.1),
    problem: null,
    oauth: null,
    created_by: 'Ada Lovelace',
    created_at: daysFromNow(-9),
    updated_at: daysFromNow(-1),
    forma: platformFormas()[code] ?? { forma_trellis_code: `${code}-setup`, title: '', sections: [] },
    values: { server: { host: 'db.example.com', port: 5432, database: 'shop' }, login: { user: 'reader' } },
    secrets_set: ['login.password'],
    version: 3,
    used_by: [],
    history: [{ at: daysFromNow(-9), who: 'Ada Lovelace', what: 'Connected' }],
    check: WORKS,
    patience: 0,
    ...more,
  }
}

const PREVIEW: SourcePreview = {
  columns: [
    { name: 'id', type: 'integer', is_nullable: false, ...figures(3, '1', '3'), can_be_key: true, can_be_cursor: true },
    {
      name: 'name',
      type: 'text',
      is_nullable: true,
      ...figures(2, 'Adler', 'Chen'),
      nulls: 1,
      can_be_key: false,
      can_be_cursor: false,
    },
  ],
  rows: [
    ['1', 'Adler'],
    ['2', null],
    ['3', 'Chen'],
  ],
  is_cut: true,
  declared_keys: [],
  candidate_keys: [['id']],
  candidate_cursors: ['id'],
  data_model: { fields: { id: 'integer', name: 'text' }, column_mapping: {}, primary_keys: ['id'], indexes: {} },
  warnings: [],
}

function figures(distinct: number, smallest: string, largest: string) {
  return { nulls: 0, distinct, smallest, largest }
}

export const TRIAL: RestTrialResult = {
  pages: [
    {
      request: {
        method: 'GET',
        url: 'https://api.example.com/orders?page=1',
        headers: { authorization: '••••••' },
        body: null,
      },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { items: [{ id: 1, name: 'Adler' }, { id: 2 }] }, next: 'b' }),
        is_cut: false,
        took_ms: 41,
      },
      records: [{ id: 1, name: 'Adler' }, { id: 2 }],
      next: 'page=2',
    },
  ],
  preview: PREVIEW,
  problem: null,
  faults: [],
}

export function createIntegrations(change: Partial<FakeIntegrations> = {}): FakeIntegrations {
  return {
    platforms: createPlatforms(),
    formas: platformFormas(),
    queryFormas: queryFormas(),
    list: [
      fakeIntegration({
        integration_trellis_code: 'w-northwind-growth-db',
        platform_trellis_code: 'trellis_database',
        name: 'Growth',
        is_managed: true,
        values: {},
        secrets_set: [],
        created_by: null,
      }),
      fakeIntegration({ used_by: [{ kind: 'dataflow', trellis_code: 'd-1', name: 'Nightly orders' }] }),
      fakeIntegration({
        integration_trellis_code: 'i-broken',
        name: 'Old shop',
        state: 'ERROR',
        validation: 'COMPLETED_ERROR',
        problem: WRONG_PASSWORD,
        check: {
          ...WORKS,
          status: 'COMPLETED_ERROR',
          state: 'ERROR',
          problem: WRONG_PASSWORD,
          found: [],
          finished_at: daysFromNow(-0.2),
        },
      }),
      fakeIntegration({
        integration_trellis_code: 'i-ads',
        platform_trellis_code: 'google_ads',
        name: 'Ads account',
        values: { app: { client_id: 'app-1' }, account: { customer_id: '123-456-7890' } },
        secrets_set: ['app.client_secret'],
        oauth: {
          is_linked: true,
          linked_as: 'ads@example.com',
          linked_at: daysFromNow(-80),
          expires_at: daysFromNow(4.5),
        },
      }),
    ],
    nextProblem: null,
    nextRefusal: null,
    patience: 1,
    preview: PREVIEW,
    trial: TRIAL,
    secrets: {},
    ...change,
  }
}
