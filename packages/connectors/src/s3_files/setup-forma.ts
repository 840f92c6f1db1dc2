import type { Forma } from '@trellis/contract/formas/forma'

export const setupForma: Forma = {
  forma_trellis_code: 's3_files_setup',
  title: 'Files in S3',
  sections: [
    {
      reference: 'bucket',
      order: 1,
      title: 'Bucket',
      is_required: true,
      elements: [
        {
          reference: 'bucket',
          order: 1,
          type: 'text',
          data_type: 'str',
          label: 'Bucket',
          properties: {
            max_length: 63,
            pattern: '^[a-z0-9][a-z0-9.\\-]{1,61}[a-z0-9]$',
            pattern_message: 'A bucket has 3 to 63 small letters, digits, dots and hyphens.',
          },
        },
        {
          reference: 'region',
          order: 2,
          type: 'text',
          data_type: 'str',
          label: 'Region',
          default: 'us-east-1',
          properties: { placeholder: 'eu-central-1', max_length: 40 },
        },
        {
          reference: 'endpoint',
          order: 3,
          type: 'text',
          data_type: 'str',
          is_optional: true,
          label: 'Address of the store',
          help: 'Only where it is not Amazon’s.',
          properties: {
            placeholder: 'https://storage.example.com',
            pattern: '^https?://.+',
            pattern_message: 'Enter an address that begins with https://.',
          },
        },
        { reference: 'access_key_id', order: 4, type: 'text', data_type: 'str', label: 'Access key', properties: {} },
        { reference: 'secret_access_key', order: 5, type: 'secret', data_type: 'str', label: 'Secret', properties: {} },
      ],
    },
  ],
}
