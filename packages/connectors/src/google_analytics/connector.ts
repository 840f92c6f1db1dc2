import { defineConnector } from '@trellis/connector-kit/connector'
import type { Choice } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { GOOGLE_CONSENT_HOSTS } from '../shared/google-consent.ts'
import { listKeyEvents, readMetadata, listProperties } from './api.ts'
import { EVENTS } from './catalogue.ts'
import { oauth, queryForma, setupForma } from './formas.ts'
import { read } from './read.ts'
import { simulator } from './simulator.ts'

/** Asking hundreds of properties would take too long for a form. */
const MAX_PROPERTIES = 3

async function listChoices(context: ConnectorContext, name: string): Promise<Choice[]> {
  const properties = await listProperties(context)
  const some = properties.slice(0, MAX_PROPERTIES)
  if (name === 'properties') {
    return properties.map(({ id, name: label, account }) => ({ value: id, label, hint: `${account} · ${id}` }))
  }
  if (name === 'goals') {
    const events = await Promise.all(some.map(({ id }) => listKeyEvents(context, id)))
    return [...new Set([...events.flat(), ...EVENTS])].map((event) => ({ value: event, label: event }))
  }
  if (name !== 'dimensions') return []
  const all = await Promise.all(some.map(({ id }) => readMetadata(context, id)))
  const found = new Map(
    all.flatMap(({ dimensions = [] }) => dimensions).map((item) => [item.apiName, item.uiName ?? item.apiName]),
  )
  return [...found].map(([value, label]) => ({ value, label, hint: value }))
}

export const googleAnalytics = defineConnector({
  code: 'google_analytics',
  name: 'Google Analytics',
  summary: 'Reports of a Google Analytics 4 property by day: up to nine dimensions, metrics and goals.',
  tags: ['source', 'analytics'],
  setupForma,
  hosts: {
    ...GOOGLE_CONSENT_HOSTS,
    data: 'https://analyticsdata.googleapis.com',
    admin: 'https://analyticsadmin.googleapis.com',
  },
  oauth,
  async check(context) {
    const properties = await listProperties(context)
    if (properties.length === 0) {
      throw new ConnectorError('configuration', 'The person who consented sees no Google Analytics 4 property.', {
        advice: 'Give that person the role Viewer on a property, or link as someone who has it.',
        field: 'consent.link',
      })
    }
    return [
      { label: 'Properties', value: String(properties.length) },
      ...properties
        .slice(0, 5)
        .map(({ id, name, account }) => ({ label: `Property ${id}`, value: `${name} (${account})` })),
    ]
  },
  async options(context, name, search) {
    const wanted = search.toLowerCase()
    return (await listChoices(context, name)).filter(({ value, label }) =>
      `${label} ${value}`.toLowerCase().includes(wanted),
    )
  },
  source: {
    queryFormas: [queryForma],
    read,
    buildQuery: (subtask) => ({
      property: { property: subtask },
      report: {
        dimensions: [{ dimension: 'date', actionEvent: '' }],
        metrics: ['activeUsers', 'sessions', 'screenPageViews'],
        goals: [],
      },
    }),
  },
  simulator,
})
