import { type Template, name, title } from './template.ts'

const MAX_POINTS = 1000

export const map: Template = {
  template: 'map',
  name: 'Map',
  description: 'Points of a table by latitude and longitude.',
  fields: [
    {
      key: 'latitude',
      label: 'Latitude',
      hint: 'From -90 to 90',
      kinds: ['number'],
      is_required: true,
      is_list: false,
    },
    {
      key: 'longitude',
      label: 'Longitude',
      hint: 'From -180 to 180',
      kinds: ['number'],
      is_required: true,
      is_list: false,
    },
    { key: 'label', label: 'Name', hint: 'Shown at a point', kinds: ['any'], is_required: false, is_list: false },
    {
      key: 'value',
      label: 'Size',
      hint: 'Larger values are larger points',
      kinds: ['number'],
      is_required: false,
      is_list: false,
    },
  ],
  build: ({ from, column, table }) => {
    const latitude = column('latitude')
    const longitude = column('longitude')
    if (!latitude || !longitude) throw new Error('A map needs latitude and longitude.')
    const [label, value] = [column('label'), column('value')]
    const more = [...(label ? [`${name(label)}::text as label`] : []), ...(value ? [`${name(value)} as value`] : [])]
    const sql = `select ${[`${name(latitude)} as latitude`, `${name(longitude)} as longitude`, ...more].join(', ')}
from ${from}
where ${name(latitude)} between -90 and 90 and ${name(longitude)} between -180 and 180
${value ? `order by ${name(value)} desc nulls last\n` : ''}limit ${MAX_POINTS}`
    return {
      sources: [{ key: 'points', name: `Points of ${title(table.name)}`, sql }],
      blocks: [
        {
          kind: 'map',
          width: 'full',
          source: 'points',
          title: '',
          latitude_column: 'latitude',
          longitude_column: 'longitude',
          label_column: label ? 'label' : null,
          value_column: value ? 'value' : null,
        },
        { kind: 'table', width: 'full', source: 'points', title: 'Rows', columns: [] },
      ],
    }
  },
}
