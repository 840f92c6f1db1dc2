import { countRows } from '@trellis/connector-kit/batch'
import type { Destination } from '@trellis/connector-kit/connector'

export const sampleReceiver: Destination = {
  queryFormas: [
    {
      forma_trellis_code: 'sample_data_receiver',
      title: 'A sample receiver',
      sections: [
        {
          reference: 'receiver',
          order: 1,
          title: 'Receiver',
          description: 'Takes what it is sent and forgets it. Nothing leaves this machine.',
          is_required: true,
          elements: [
            {
              reference: 'name',
              order: 1,
              type: 'text',
              data_type: 'str',
              label: 'Name of the report',
              default: 'Report',
              properties: { max_length: 100 },
            },
          ],
        },
      ],
    },
  ],
  strategies: ['Append', 'Replace', 'Upsert'],
  open: async ({ log }, { query }) => {
    let rows = 0
    return {
      committedBatches: 0,
      write: async (batch) => {
        rows += countRows(batch)
      },
      finish: async () => {
        const name = query['receiver']?.['name']
        log('INFO', `The sample receiver took ${rows} rows as "${typeof name === 'string' ? name : ''}".`)
        return { rows }
      },
      abandon: async () => undefined,
    }
  },
}
