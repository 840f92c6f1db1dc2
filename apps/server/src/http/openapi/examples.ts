interface CallExample {
  readonly request?: unknown
  readonly response?: unknown
}

export const EXAMPLES: Record<string, CallExample> = {
  login: {
    request: { email: 'ada@example.com', password: 'correct horse battery staple' },
    response: { access_token: 'eyJhbGciOi…', token_type: 'Bearer', expires_in: 900, refresh_token: '8f14e45f…' },
  },
  createAccessToken: {
    request: { name: 'Reading bot', scopes: ['read', 'write'], days: 90 },
    response: {
      id: 7,
      name: 'Reading bot',
      prefix: 'trp_1a2b',
      scopes: ['read', 'write'],
      created_at: '2026-01-31T09:30:00Z',
      expires_at: '2026-05-01T09:30:00Z',
      last_used_at: null,
      resource: null,
      secret: 'trp_1a2b…',
    },
  },
  listWorkspaces: {
    response: [
      {
        id: 3,
        trellis_code: 'shop-1a2b3c',
        name: 'Shop',
        workspace_address: 'shop',
        account_trellis_code: 'acme-4d5e6f',
        state: 'online',
        created_at: '2026-01-31T09:30:00Z',
      },
    ],
  },
  executeSql: {
    request: {
      job_id: '5f0c1e9e-3f0a-4a52-9a56-0f1b6f6f8a11',
      integration_trellis_code: 'shop-1a2b3c',
      sql: 'select status, count(*) from orders group by status',
      row_limit: 1000,
    },
  },
}
