import type { FormaElement, FormaSection } from '@trellis/contract/formas/forma'

interface DaysWords {
  readonly help: string
  readonly shownWhen?: FormaElement['shown_when']
}

export const buildDatesSection = (order: number, { help, shownWhen }: DaysWords): FormaSection => ({
  reference: 'dates',
  order,
  title: 'Days',
  is_required: true,
  elements: [
    {
      reference: 'range',
      order: 1,
      label: 'Days to read',
      help,
      data_type: 'date_range',
      type: 'historic_date_range',
      ...(shownWhen ? { shown_when: shownWhen } : {}),
      properties: {},
    },
  ],
})
