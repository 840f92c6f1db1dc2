import type { AwkwardFile } from './load-cells.ts'
import { type Cell, STYLE, writeWorkbook } from './write-workbook.ts'

const createWorkbookFile = (
  name: string,
  rows: readonly (readonly Cell[])[],
  more: Partial<AwkwardFile>,
): AwkwardFile => ({
  name,
  content: () => writeWorkbook({ Data: rows }),
  ...more,
})

const MERGED_ROWS: Cell[][] = [
  ['region', 'city', 'n'],
  ['North', 'Kiel', 1],
  [null, 'Jena', 2],
  [null, null, 3],
  ['South', 'Ulm', null],
]

export const WORKBOOK_FILES: AwkwardFile[] = [
  createWorkbookFile(
    'a sheet',
    [
      ['id', 'name'],
      [1, 'x'],
      [2, 'y'],
    ],
    {
      columns: ['id:integer', 'name:text'],
      rows: [
        ['1', 'x'],
        ['2', 'y'],
      ],
    },
  ),
  createWorkbookFile(
    'dates and moments',
    [
      ['d', 'm'],
      [
        { n: 45_382, style: STYLE.date },
        { n: 45_382.5, style: STYLE.moment },
      ],
    ],
    { columns: ['d:date', 'm:timestamp'], rows: [['2024-03-31', '2024-03-31T12:00:00']] },
  ),
  createWorkbookFile('36 hours', [['h'], [{ n: 1.5, style: STYLE.hours }], [{ n: 0.25, style: STYLE.hours }]], {
    columns: ['h:interval'],
    rows: [['36:00:00'], ['06:00:00']],
  }),
  createWorkbookFile(
    '36 hours shown as a clock',
    [['h'], [{ n: 1.5, style: STYLE.clock }], [{ n: 0.25, style: STYLE.clock }]],
    {
      columns: ['h:interval'],
      rows: [['36:00:00'], ['06:00:00']],
    },
  ),
  createWorkbookFile(
    'times of the day',
    [['h'], [{ n: 0.25, style: STYLE.clock }], [{ n: 0.999_988_425_925_926, style: STYLE.clock }]],
    {
      columns: ['h:time'],
      rows: [['06:00:00'], ['23:59:59']],
    },
  ),
  createWorkbookFile('seconds that are not whole', [['h'], [{ n: 0.000_017_361_111_1, style: STYLE.hours }]], {
    columns: ['h:interval'],
    rows: [['00:00:01.500']],
  }),
  createWorkbookFile('numbers with a word in their format', [['n'], [{ n: 5, style: STYLE.days }]], {
    columns: ['n:integer'],
    rows: [['5']],
  }),
  createWorkbookFile('amounts', [['n'], [{ n: 0.1, style: STYLE.two }], [{ n: 1234.5, style: STYLE.two }]], {
    columns: ['n:decimal'],
    rows: [['0.1'], ['1234.5']],
  }),
  createWorkbookFile(
    'digits as text',
    [
      ['zip', 'n'],
      ['01067', '5'],
      ['12345', '6'],
    ],
    {
      columns: ['zip:text', 'n:text'],
      rows: [
        ['01067', '5'],
        ['12345', '6'],
      ],
    },
  ),
  createWorkbookFile(
    'codes that a format shows with zeros',
    [['zip'], [{ n: 1067, style: STYLE.zip }], [{ n: 80_331, style: STYLE.zip }]],
    {
      columns: ['zip:text'],
      rows: [['01067'], ['80331']],
      isQuiet: true,
    },
  ),
  createWorkbookFile(
    'numbers that are no date though their format says so',
    [['d'], [{ n: -1, style: STYLE.date }], [{ n: 60, style: STYLE.date }], [{ n: 2_958_466, style: STYLE.date }]],
    { columns: ['d:decimal'], rows: [['-1'], ['60'], ['2958466']] },
  ),
  createWorkbookFile(
    'the first and the last day of a workbook',
    [['d'], [{ n: 1, style: STYLE.date }], [{ n: 2_958_465, style: STYLE.date }]],
    {
      columns: ['d:date'],
      rows: [['1900-01-01'], ['9999-12-31']],
    },
  ),
  createWorkbookFile('characters that XML can not hold', [['t'], ['one_x000D_\ntwo'], ['_x005F_x000D_']], {
    columns: ['t:text'],
    rows: [['one\r\ntwo'], ['_x000D_']],
  }),
  {
    name: 'rows that a filter hides',
    content: () => writeWorkbook({ Data: [['id'], [1], [2], [3]] }, { hiddenRows: [3] }),
    columns: ['id:integer'],
    rows: [['1'], ['2'], ['3']],
    warning: /One row is hidden in the sheet and loaded like the others/,
  },
  createWorkbookFile('text that looks like a date', [['d'], ['31.03.2024']], {
    columns: ['d:text'],
    rows: [['31.03.2024']],
  }),
  createWorkbookFile('an error alone in its row', [['n'], [1], [{ error: '#N/A' }], [3]], {
    columns: ['n:integer'],
    rows: [['1'], [null], ['3']],
    warning: /One cell holds an error such as #N\/A; NULL is loaded/,
  }),
  createWorkbookFile('an error above the table', [[{ error: '#REF!' }], ['id', 'n'], [1, 5], [2, 6]], {
    columns: ['id:integer', 'n:integer'],
    rows: [
      ['1', '5'],
      ['2', '6'],
    ],
  }),
  createWorkbookFile(
    'errors',
    [
      ['a', 'b'],
      [1, { error: '#DIV/0!' }],
      [2, 7],
      [3, { error: '#N/A' }],
    ],
    {
      columns: ['a:integer', 'b:integer'],
      rows: [
        ['1', null],
        ['2', '7'],
        ['3', null],
      ],
      warning: /2 cells hold errors such as #DIV\/0!; NULL is loaded/,
    },
  ),
  createWorkbookFile('answers', [['a'], [true], [false]], {
    columns: ['a:boolean'],
    rows: [['true'], ['false']],
    isQuiet: true,
  }),
  createWorkbookFile('a title', [['Report of May'], [], ['id', 'name', 'n'], [1, 'x', 2], [2, 'y', 3]], {
    columns: ['id:integer', 'name:text', 'n:integer'],
    rows: [
      ['1', 'x', '2'],
      ['2', 'y', '3'],
    ],
  }),
  createWorkbookFile(
    'facts above the table',
    [['Created:', 'Monday'], ['By:', 'Ada'], [], ['id', 'name', 'n', 'm'], [1, 'x', 2, 3], [2, 'y', 3, 4]],
    { columns: ['id:integer', 'name:text', 'n:integer', 'm:integer'] },
  ),
  createWorkbookFile(
    'no header',
    [
      [1, 'x'],
      [2, 'y'],
      [3, 'x'],
    ],
    {
      columns: ['column_1:integer', 'column_2:text'],
      rows: [
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'x'],
      ],
    },
  ),
  createWorkbookFile(
    'heads that are merged',
    [
      ['Region', '2023', null, '2024', null],
      [null, 'Q1', 'Q2', 'Q1', 'Q2'],
      ['north', 1, 2, 3, 4],
      ['south', 5, 6, 7, 8],
    ],
    {
      columns: ['Region:text', '2023 Q1:integer', '2023 Q2:integer', '2024 Q1:integer', '2024 Q2:integer'],
      rows: [
        ['north', '1', '2', '3', '4'],
        ['south', '5', '6', '7', '8'],
      ],
    },
  ),
  createWorkbookFile(
    'a last column without a name',
    [
      ['a', 'b'],
      [1, 'x', 7],
      [2, 'y', 8],
    ],
    {
      columns: ['a:integer', 'b:text', ':integer'],
      rows: [
        ['1', 'x', '7'],
        ['2', 'y', '8'],
      ],
    },
  ),
  createWorkbookFile('empty rows between', [['a', 'b'], [1, 'x'], [], [], [2, 'y']], {
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  }),
  createWorkbookFile(
    'words for nothing',
    [
      ['a', 'b'],
      [1, 'NA'],
      ['N/A', 'DE'],
      [3, 'NA'],
    ],
    {
      columns: ['a:integer', 'b:text'],
      rows: [
        ['1', 'NA'],
        [null, 'DE'],
        ['3', 'NA'],
      ],
      warning: /N\/A is read as NULL/,
    },
  ),
  createWorkbookFile('numbers beyond 15 digits', [['n'], [1e20], [5]], {
    columns: ['n:decimal'],
    rows: [['100000000000000000000'], ['5']],
  }),
  createWorkbookFile(
    'a column of dates with a word',
    [
      ['d', 'n'],
      ...Array.from({ length: 40 }, (_, at): Cell[] => [{ n: 45_000 + at, style: STYLE.date }, at]),
      ['soon', 1],
    ],
    { columns: ['d:date', 'n:integer'], warning: /such as soon/ },
  ),
  {
    name: 'cells merged over several rows',
    content: () => writeWorkbook({ Data: MERGED_ROWS }, { merged: ['A2:A4', 'B5:C5'] }),
    columns: ['region:text', 'city:text', 'n:integer'],
    rows: [
      ['North', 'Kiel', '1'],
      ['North', 'Jena', '2'],
      ['North', null, '3'],
      ['South', 'Ulm', null],
    ],
    warning: /such as A2:A4, “North”; it is loaded into each of these rows \(2 cells filled\)/,
  },
  {
    name: 'cells merged over several rows, each read as it stands',
    content: () => writeWorkbook({ Data: MERGED_ROWS }, { merged: ['A2:A4', 'B5:C5'] }),
    given: { fill_merged: false },
    columns: ['region:text', 'city:text', 'n:integer'],
    rows: [
      ['North', 'Kiel', '1'],
      [null, 'Jena', '2'],
      [null, null, '3'],
      ['South', 'Ulm', null],
    ],
    isQuiet: true,
  },
  {
    name: 'a header merged over two rows changes no row',
    content: () =>
      writeWorkbook(
        {
          Data: [
            ['Region', '2023', null],
            [null, 'Q1', 'Q2'],
            ['north', 1, 2],
            [null, 5, 6],
          ],
        },
        { merged: ['A1:A2', 'B1:C1'] },
      ),
    columns: ['Region:text', 'Q1:integer', 'Q2:integer'],
    rows: [
      ['north', '1', '2'],
      [null, '5', '6'],
    ],
  },
  {
    name: 'days counted from 1904 on',
    content: () =>
      writeWorkbook(
        {
          Data: [
            ['d', 'm'],
            [
              { n: 43_920, style: STYLE.date },
              { n: 43_920.5, style: STYLE.moment },
            ],
          ],
        },
        { is1904: true },
      ),
    columns: ['d:date', 'm:timestamp'],
    rows: [['2024-03-31', '2024-03-31T12:00:00']],
  },
  {
    name: 'a hidden sheet in front',
    content: () => writeWorkbook({ Lists: [['x'], ['y']], Data: [['id'], [1], [2]] }, { hiddenSheets: ['Lists'] }),
    columns: ['id:integer'],
    rows: [['1'], ['2']],
  },
  createWorkbookFile(
    'shares in percent and formulas with their results',
    [
      ['share', 'twice'],
      [
        { n: 0.125, style: STYLE.percent },
        { formula: 'A2*2', result: 0.25 },
      ],
      [
        { n: 0.875, style: STYLE.percent },
        { formula: 'A3*2', result: 1.75 },
      ],
    ],
    {
      columns: ['share:decimal', 'twice:decimal'],
      rows: [
        ['0.125', '0.25'],
        ['0.875', '1.75'],
      ],
      isQuiet: true,
    },
  ),
  {
    name: 'an empty first sheet',
    content: () =>
      writeWorkbook({
        Cover: [],
        Data: [
          ['a', 'b'],
          [1, 'x'],
        ],
      }),
    columns: ['a:integer', 'b:text'],
    rows: [['1', 'x']],
  },
  {
    name: 'the second sheet by choice',
    content: () => writeWorkbook({ One: [['a'], [1]], Two: [['b'], ['x']] }),
    given: { sheet: 'Two' },
    columns: ['b:text'],
    rows: [['x']],
  },
  { name: 'no rows in any sheet', content: () => writeWorkbook({ One: [], Two: [] }), refused: /no rows/ },
  {
    name: 'a sheet that is not there',
    content: () => writeWorkbook({ One: [['a'], [1]] }),
    given: { sheet: 'Other' },
    refused: /no sheet "Other"/,
  },
]
