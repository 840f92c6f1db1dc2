import { defineConnector } from '@trellis/connector-kit/connector'
import { GOOGLE_CONSENT_HOSTS } from '../shared/google-consent.ts'
import { accountsOf, rootsOf } from './api.ts'
import { oauth, queryForma, setupForma } from './formas.ts'
import { judgeQuery } from './gaql/judge.ts'
import { read } from './read.ts'
import { simulator } from './simulator.ts'

/** What a subtask's bare name stands for: a report by day of the resource of that name. */
const queryOf = (subtask: string) => ({
  monacoGaql: { editor: `SELECT ${subtask}.resource_name FROM ${subtask}` },
})

export const googleAds = defineConnector({
  code: 'google_ads',
  name: 'Google Ads',
  summary: 'Campaigns, keywords, search terms and their numbers, by queries in GAQL.',
  tags: ['source', 'marketing'],
  setupForma,
  hosts: { ...GOOGLE_CONSENT_HOSTS, ads: 'https://googleads.googleapis.com' },
  oauth,
  async check(context) {
    const roots = await rootsOf(context)
    const accounts = await accountsOf(context)
    const leaves = accounts.filter(({ isManager }) => !isManager)
    return [
      { label: 'Entered through', value: roots.join(', ') },
      { label: 'Accounts', value: String(leaves.length) },
      ...leaves.slice(0, 5).map(({ id, name, currency }) => ({ label: `Account ${id}`, value: `${name} (${currency})` })),
    ]
  },
  async options(context, name, search) {
    if (name !== 'accounts') return []
    const wanted = search.toLowerCase()
    return (await accountsOf(context))
      .filter(({ isManager }) => !isManager)
      .filter((account) => `${account.name} ${account.id}`.toLowerCase().includes(wanted))
      .map(({ id, name: label, currency }) => ({ value: id, label, hint: `${id} · ${currency}` }))
  },
  source: { queryFormas: [queryForma], read, queryOf },
  judgeQuery,
  simulator,
})
