import type { Forma, FormaElement, FormaSection } from '@trellis/contract/formas/forma'

type Part<T extends FormaElement['type']> = Partial<Extract<FormaElement, { type: T }>>

export function element<T extends FormaElement['type']>(type: T, reference: string, more: Part<T> = {}): FormaElement {
  return {
    type,
    reference,
    order: 0,
    label: reference,
    data_type: 'str',
    properties: {},
    ...more,
  } as unknown as FormaElement
}

export function section(reference: string, elements: FormaElement[], more: Partial<FormaSection> = {}): FormaSection {
  return {
    reference,
    order: 0,
    title: reference,
    is_required: true,
    elements: elements.map((other, order) => ({ ...other, order })),
    ...more,
  }
}

export const forma = (code: string, sections: FormaSection[]): Forma => ({
  forma_trellis_code: code,
  title: code,
  sections: sections.map((other, order) => ({ ...other, order })),
})

export function platformFormas(): Record<string, Forma> {
  return {
    postgresql: forma('postgresql-setup', [
      section(
        'server',
        [
          element('text', 'host', { label: 'Host', properties: { placeholder: 'db.example.com' } }),
          element('number', 'port', { label: 'Port', default: 5432, properties: { is_integer: true, max: 65_535 } }),
          element('text', 'database', { label: 'Database' }),
          element('select', 'tls', {
            label: 'Encryption',
            default: 'require',
            properties: {
              options: [
                { value: 'require', label: 'Required' },
                { value: 'verify', label: 'Required, certificate checked' },
              ],
            },
          }),
          element('text', 'certificate', {
            label: 'Certificate',
            properties: { is_multiline: true },
            shown_when: { section: 'server', element: 'tls', values: ['verify'] },
          }),
        ],
        { title: 'Server' },
      ),
      section(
        'login',
        [element('text', 'user', { label: 'User' }), element('secret', 'password', { label: 'Password' })],
        { title: 'Sign-in' },
      ),
    ]),
    google_ads: forma('google-ads-setup', [
      section(
        'app',
        [
          element('text', 'client_id', { label: 'Client ID' }),
          element('secret', 'client_secret', { label: 'Client secret' }),
        ],
        { title: 'Your app' },
      ),
      section(
        'account',
        [
          element('text', 'customer_id', {
            label: 'Customer ID',
            properties: { placeholder: '123-456-7890', pattern: '^\\d{3}-\\d{3}-\\d{4}$' },
          }),
        ],
        { title: 'Account' },
      ),
      section(
        'consent',
        [
          element('oauth_link', 'link', {
            label: 'Link with Google',
            properties: { provider: 'Google', scopes: ['https://www.example.com/auth/adwords'] },
          }),
        ],
        { title: 'Consent', is_required: false },
      ),
      section('token', [element('secret', 'refresh_token', { label: 'Refresh token', is_optional: true })], {
        title: 'Token instead of consent',
        is_required: false,
      }),
    ]),
    google_analytics: forma('google-analytics-setup', [
      section('account', [element('text', 'property', { label: 'Property' })], { title: 'Account' }),
    ]),
    rest: forma('rest-setup', [
      section('source', [element('rest_manifest', 'manifest', { label: 'Source' })], { title: 'Source' }),
    ]),
    sample_data: forma('sample-setup', [
      section('shop', [element('number', 'seed', { label: 'Seed', default: 1, properties: {} })], { title: 'Shop' }),
    ]),
  }
}

export function queryFormas(): Record<string, Forma[]> {
  return {
    postgresql: [
      forma('postgresql-query', [
        section('table', [element('table_picker', 'table', { label: 'Table', properties: { picks: 'table' } })], {
          title: 'What to read',
        }),
      ]),
    ],
    google_ads: [
      forma('google-ads-query', [
        section(
          'monacoGaql',
          [element('query_editor', 'editor', { label: 'Query', properties: { language: 'gaql' } })],
          {
            title: 'Query',
          },
        ),
      ]),
    ],
    sample_data: [forma('sample-query', [section('what', [], { title: 'What to read' })])],
  }
}
