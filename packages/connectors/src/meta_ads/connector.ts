import { defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { listAccounts } from './api.ts'
import { ENTITIES } from './catalogue.ts'
import { oauth, queryForma, setupForma } from './formas.ts'
import { read } from './read.ts'
import { simulator } from './simulator.ts'

const buildQuery = (subtask: string) => ({
  report: {
    object: subtask in ENTITIES ? subtask : 'insights',
    level: 'campaign',
    metrics: ['impressions', 'clicks', 'spend', 'actions'],
    breakdowns: [],
    attribution: [],
  },
})

export const metaAds = defineConnector({
  code: 'meta_ads',
  name: 'Meta Ads',
  summary: 'Campaigns, ad sets and ads on Facebook and Instagram, and their numbers by day.',
  tags: ['source', 'advertising'],
  setupForma,
  hosts: { facebook: 'https://www.facebook.com', graph: 'https://graph.facebook.com' },
  oauth,
  async check(context) {
    const accounts = await listAccounts(context)
    if (accounts.length === 0) {
      throw new ConnectorError('configuration', 'The person or system user sees no ad account.', {
        advice: 'Give access to an ad account in the business settings of Meta, then link again.',
        field: 'consent.link',
      })
    }
    return [
      { label: 'Ad accounts', value: String(accounts.length) },
      ...accounts
        .slice(0, 5)
        .map(({ id, name, currency }) => ({ label: `Account ${id}`, value: `${name} (${currency})` })),
    ]
  },
  async options(context, name, search) {
    if (name !== 'accounts') return []
    const wanted = search.toLowerCase()
    return (await listAccounts(context))
      .filter((account) => `${account.name} ${account.id}`.toLowerCase().includes(wanted))
      .map(({ id, name: label, currency }) => ({ value: id, label, hint: `${id} · ${currency}` }))
  },
  source: { queryFormas: [queryForma], read, buildQuery },
  simulator,
})
