import { defineConnector } from '@trellis/connector-kit/connector'
import { GOOGLE_CONSENT_HOSTS } from '../shared/google-consent.ts'
import { listAccounts, listRootAccounts } from './api.ts'
import { validateAtGoogle } from './validate-at-google.ts'
import { oauth, queryForma, setupForma } from './formas.ts'
import { findResource, listSelectableFields } from './gaql/catalogue.ts'
import { validateQuery } from './gaql/validate-query.ts'
import { read } from './read.ts'
import { simulator } from './simulator.ts'

const DEFAULT_FIELDS = ['segments.date', 'metrics.impressions', 'metrics.clicks', 'metrics.cost_micros']

function buildQuery(subtask: string) {
  const resource = findResource(subtask)
  const known = resource ? listSelectableFields(resource) : []
  const wanted = [`${subtask}.resource_name`, `${subtask}.id`, `${subtask}.name`, ...DEFAULT_FIELDS]
  const fields = wanted.filter((name, index) => index === 0 || known.includes(name))
  return { monacoGaql: { editor: `SELECT ${fields.join(', ')}\nFROM ${subtask}` } }
}

export const googleAds = defineConnector({
  code: 'google_ads',
  name: 'Google Ads',
  summary: 'Campaigns, keywords, search terms and their numbers, by queries in GAQL.',
  tags: ['source', 'advertising'],
  setupForma,
  hosts: { ...GOOGLE_CONSENT_HOSTS, ads: 'https://googleads.googleapis.com' },
  oauth,
  async check(context) {
    const roots = await listRootAccounts(context)
    const accounts = await listAccounts(context)
    const leaves = accounts.filter(({ isManager }) => !isManager)
    return [
      { label: 'Entered through', value: roots.join(', ') },
      { label: 'Accounts', value: String(leaves.length) },
      ...leaves
        .slice(0, 5)
        .map(({ id, name, currency }) => ({ label: `Account ${id}`, value: `${name} (${currency})` })),
    ]
  },
  async options(context, name, search) {
    if (name !== 'accounts') return []
    const wanted = search.toLowerCase()
    return (await listAccounts(context))
      .filter(({ isManager }) => !isManager)
      .filter((account) => `${account.name} ${account.id}`.toLowerCase().includes(wanted))
      .map(({ id, name: label, currency }) => ({ value: id, label, hint: `${id} · ${currency}` }))
  },
  source: { queryFormas: [queryForma], read, buildQuery },
  judgeQuery: validateQuery,
  askAboutQuery: validateAtGoogle,
  simulator,
})
