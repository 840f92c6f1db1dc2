import { defineConnector } from '@trellis/connector-kit/connector'
import { GOOGLE_CONSENT_HOSTS } from '../shared/google-consent.ts'
import { readSpreadsheet } from './api.ts'
import { destinationForma, oauth, setupForma, sourceForma } from './formas.ts'
import { read } from './read.ts'
import { simulator } from './simulator.ts'
import { open } from './write.ts'

export const googleSheets = defineConnector({
  code: 'google_sheets',
  name: 'Google Sheets',
  summary: 'Reads sheets of a spreadsheet as tables, and writes tables into them.',
  tags: ['source', 'destination', 'spreadsheet'],
  setupForma,
  hosts: { ...GOOGLE_CONSENT_HOSTS, sheets: 'https://sheets.googleapis.com' },
  oauth,
  async check(context) {
    const { title, sheets } = await readSpreadsheet(context)
    return [
      { label: 'Spreadsheet', value: title },
      { label: 'Sheets', value: sheets.map((sheet) => sheet.title).join(', ') || 'none' },
    ]
  },
  async options(context, name, search) {
    if (name !== 'sheets') return []
    const { sheets } = await readSpreadsheet(context)
    return sheets
      .filter(({ title }) => title.toLowerCase().includes(search.toLowerCase()))
      .map(({ title, rows, columns }) => ({ value: title, label: title, hint: `${rows} rows, ${columns} columns` }))
  },
  source: { queryFormas: [sourceForma], read, buildQuery: (subtask) => ({ sheet: { name: subtask, header_row: 1 } }) },
  destination: { queryFormas: [destinationForma], strategies: ['Append', 'Replace'], open },
  simulator,
})
