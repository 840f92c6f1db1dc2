import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { ChartSpec } from './charts.schemas.ts'
import { type ChartColumn, type ChartRows, suggestChart } from './suggest-chart.ts'

const columns = (...list: [string, ChartColumn['kind']][]): ChartColumn[] =>
  list.map(([name, kind]) => ({ name, kind }))

test.each<[string, ChartColumn[], ChartRows, Partial<ChartSpec> | null]>([
  ['one number is a big number', columns(['total', 'integer']), [['42']], { kind: 'big_number', x: null }],
  [
    'days and a number are a line',
    columns(['day', 'date'], ['revenue', 'decimal']),
    [
      ['2026-01-01', '1'],
      ['2026-01-02', '2'],
    ],
    { kind: 'line', x: 'day', y: [{ column: 'revenue', aggregate: 'none' }], split_by: null },
  ],
  [
    'repeated days with a category are a line for each of its values',
    columns(['day', 'date'], ['country', 'text'], ['revenue', 'decimal']),
    ['2026-01-01', '2026-01-02'].flatMap((day) => [
      [day, 'DE', '1'],
      [day, 'FR', '2'],
    ]),
    { kind: 'line', x: 'day', split_by: 'country', y: [{ column: 'revenue', aggregate: 'sum' }] },
  ],
  [
    'names and a number are bars, the largest first',
    columns(['id', 'integer'], ['status', 'text'], ['orders', 'integer']),
    [
      ['1', 'open', '4'],
      ['2', 'paid', '9'],
    ],
    { kind: 'bar', x: 'status', sort: 'y_desc', top: null, y: [{ column: 'orders', aggregate: 'none' }] },
  ],
  [
    'a number that only says where a name stands gives the order of the bars and is not drawn',
    columns(['weekday', 'integer'], ['name', 'text'], ['revenue', 'decimal']),
    [
      ['1', 'Monday', '4'],
      ['2', 'Tuesday', '9'],
      ['3', 'Wednesday', '7'],
    ],
    { kind: 'bar', x: 'name', sort: 'none', y: [{ column: 'revenue', aggregate: 'none' }] },
  ],
  [
    'a number that happens to rise by one is drawn where there is no other',
    columns(['name', 'text'], ['orders', 'integer']),
    [
      ['north', '4'],
      ['south', '5'],
      ['west', '6'],
    ],
    { kind: 'bar', x: 'name', sort: 'y_desc', y: [{ column: 'orders', aggregate: 'none' }] },
  ],
  [
    'many names are cut to the largest',
    columns(['city', 'text'], ['orders', 'integer']),
    Array.from({ length: 60 }, (_, at) => [`city ${at}`, String(at)]),
    { kind: 'bar', top: 20 },
  ],
  [
    'two numbers are a scatter',
    columns(['height', 'decimal'], ['weight', 'decimal']),
    [
      ['3', '1'],
      ['1', '2'],
      ['2', '5'],
    ],
    { kind: 'scatter', x: 'height', y: [{ column: 'weight', aggregate: 'none' }] },
  ],
  [
    'a rising number beside another one is a line',
    columns(['n', 'integer'], ['value', 'decimal']),
    [
      ['1', '7'],
      ['2', '5'],
    ],
    { kind: 'line', x: 'n' },
  ],
  [
    'names alone are counted',
    columns(['status', 'text']),
    [['open'], ['open'], ['paid']],
    { kind: 'bar', x: 'status', y: [{ column: null, aggregate: 'count' }] },
  ],
  [
    'measures of one scale are drawn together, smaller ones are left for a choice',
    columns(['day', 'date'], ['orders', 'integer'], ['revenue', 'decimal'], ['cost', 'decimal']),
    [
      ['2026-01-01', '31', '18000', '9000'],
      ['2026-01-02', '29', '17000', '8000'],
    ],
    {
      kind: 'line',
      x: 'day',
      y: [
        { column: 'revenue', aggregate: 'none' },
        { column: 'cost', aggregate: 'none' },
      ],
    },
  ],
  ['nothing to draw', columns(['name', 'text']), [['a'], ['b']], null],
  ['no rows', columns(['n', 'integer']), [], null],
])('%s', (...[, cols, rows, wanted]) => {
  const spec = suggestChart(cols, rows)
  if (wanted === null) return expect(spec).toBeNull()
  expect(spec).toMatchObject(wanted)
  expect(z.parse(ChartSpec, spec)).toEqual(spec)
})
