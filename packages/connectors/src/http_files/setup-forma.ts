import type { Forma } from '@trellis/contract/formas/forma'

const isKind = (value: string) => ({ section: 'access', element: 'kind', values: [value] })

export const setupForma: Forma = {
  forma_trellis_code: 'http_files_setup',
  title: 'Files over HTTP',
  sections: [
    {
      reference: 'access',
      order: 1,
      title: 'Where the files are',
      is_required: true,
      elements: [
        {
          reference: 'address',
          order: 1,
          type: 'text',
          data_type: 'str',
          label: 'Address',
          help: 'Of a file, such as https://example.com/orders.csv, or of a folder whose files are named later.',
          properties: {
            placeholder: 'https://files.example.com/exports/',
            pattern: '^https?://.+',
            pattern_message: 'Enter an address that begins with https://.',
          },
        },
        {
          reference: 'kind',
          order: 2,
          type: 'select',
          data_type: 'str',
          label: 'Credentials',
          default: 'none',
          properties: {
            options: [
              { value: 'none', label: 'None' },
              { value: 'basic', label: 'User and password' },
              { value: 'bearer', label: 'Token' },
            ],
          },
        },
        {
          reference: 'user',
          order: 3,
          type: 'text',
          data_type: 'str',
          label: 'User',
          shown_when: isKind('basic'),
          properties: {},
        },
        {
          reference: 'password',
          order: 4,
          type: 'secret',
          data_type: 'str',
          label: 'Password',
          shown_when: isKind('basic'),
          properties: {},
        },
        {
          reference: 'token',
          order: 5,
          type: 'secret',
          data_type: 'str',
          label: 'Token',
          shown_when: isKind('bearer'),
          properties: {},
        },
      ],
    },
  ],
}
