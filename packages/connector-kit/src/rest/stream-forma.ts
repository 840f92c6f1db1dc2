import type { Forma, FormaSection } from '@trellis/contract/formas/forma'
import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'

/** The manifest's streams as options; if the manifest is a setting, they are requested through the connection. */
function streamSection(manifest: Pick<RestManifest, 'streams'> | undefined): FormaSection {
  const options = manifest?.streams.map(({ name, title }) => ({ value: name, label: title ?? name })) ?? []
  return {
    reference: 'data',
    order: 1,
    title: 'Data',
    is_required: true,
    elements: [
      {
        reference: 'stream',
        order: 1,
        label: 'What to read',
        data_type: 'str',
        type: 'select',
        properties: manifest ? { options } : { options, options_from: 'streams' },
      },
    ],
  }
}

const periodSection: FormaSection = {
  reference: 'period',
  order: 2,
  title: 'Period',
  description: 'How far back the first read goes. Without it everything is read.',
  is_required: false,
  elements: [
    {
      reference: 'dates',
      order: 1,
      label: 'Dates',
      data_type: 'date_range',
      type: 'historic_date_range',
      properties: {},
    },
  ],
}

export const buildStreamForma = (code: string, manifest: Pick<RestManifest, 'streams'> | undefined): Forma => ({
  forma_trellis_code: `${code}_query`,
  title: 'What to read',
  sections: [streamSection(manifest), periodSection],
})
