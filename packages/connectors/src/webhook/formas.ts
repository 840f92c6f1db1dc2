import type { Forma } from '@trellis/contract/formas/forma'

export const setupForma: Forma = {
  forma_trellis_code: 'webhook_setup',
  title: 'Webhook',
  sections: [
    {
      reference: 'receiver',
      order: 1,
      title: 'Receiver',
      is_required: true,
      elements: [
        {
          reference: 'url',
          order: 1,
          type: 'text',
          data_type: 'str',
          label: 'Address',
          properties: {
            placeholder: 'https://hooks.example.com/trellis',
            pattern: '^https?://.+',
            pattern_message: 'Enter an address that begins with https://.',
          },
        },
        {
          reference: 'secret',
          order: 2,
          type: 'secret',
          data_type: 'str',
          is_optional: true,
          label: 'Signing secret',
          help: 'With it every request is signed, so that the receiver can tell that it is from here.',
          properties: { min_length: 16 },
        },
        {
          reference: 'token',
          order: 3,
          type: 'secret',
          data_type: 'str',
          is_optional: true,
          label: 'Bearer token',
          help: 'Sent as Authorization, where the receiver asks for one.',
          properties: {},
        },
      ],
    },
  ],
}

export const targetForma: Forma = {
  forma_trellis_code: 'webhook_target',
  title: 'How to send',
  sections: [
    {
      reference: 'target',
      order: 1,
      title: 'Requests',
      is_required: true,
      elements: [
        {
          reference: 'rows',
          order: 1,
          type: 'number',
          data_type: 'int',
          label: 'Rows in a request',
          default: 500,
          properties: { min: 1, max: 1000, is_integer: true },
        },
      ],
    },
  ],
}
