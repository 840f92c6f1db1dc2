import type { Forma, FormaElement } from '@trellis/contract/formas/forma'
import { buildGoogleOAuth, buildGoogleSections } from '../shared/google-consent.ts'

export const oauth = buildGoogleOAuth('https://www.googleapis.com/auth/spreadsheets')

export const setupForma: Forma = {
  forma_trellis_code: 'google_sheets_setup',
  title: 'Google Sheets',
  sections: [
    ...buildGoogleSections(oauth),
    {
      reference: 'spreadsheet',
      order: 3,
      title: 'Spreadsheet',
      is_required: true,
      elements: [
        {
          reference: 'address',
          order: 1,
          label: 'Address of the spreadsheet',
          help: 'Open the spreadsheet and copy its address from the browser.',
          data_type: 'str',
          type: 'text',
          properties: {
            placeholder: 'https://docs.google.com/spreadsheets/d/…',
            pattern: String.raw`^\s*(https://docs\.google\.com/spreadsheets/(u/\d+/)?d/[\w-]{5,}.*|[\w-]{5,})\s*$`,
            pattern_message:
              'Copy the whole address from the browser; it begins with https://docs.google.com/spreadsheets/.',
          },
        },
      ],
    },
  ],
}

const headerRow: FormaElement = {
  reference: 'header_row',
  order: 2,
  label: 'Row with the names of the columns',
  data_type: 'int',
  type: 'number',
  is_optional: true,
  default: 1,
  properties: { min: 1, max: 1000, is_integer: true },
}

export const sourceForma: Forma = {
  forma_trellis_code: 'google_sheets_source',
  title: 'Sheet',
  sections: [
    {
      reference: 'sheet',
      order: 1,
      title: 'Sheet',
      is_required: true,
      elements: [
        {
          reference: 'name',
          order: 1,
          label: 'Sheet',
          data_type: 'str',
          type: 'select',
          properties: { options: [], options_from: 'sheets' },
        },
        headerRow,
      ],
    },
  ],
}

export const destinationForma: Forma = {
  forma_trellis_code: 'google_sheets_destination',
  title: 'Sheet',
  sections: [
    {
      reference: 'sheet',
      order: 1,
      title: 'Sheet',
      is_required: true,
      elements: [
        {
          reference: 'name',
          order: 1,
          label: 'Name of the sheet',
          help: 'It is made when it is not there. Its first row holds the names of the columns.',
          data_type: 'str',
          type: 'text',
          properties: { max_length: 100 },
        },
      ],
    },
  ],
}
