import type { AwkwardFile } from './load-cells.ts'
import { type Cell, OWN_STYLE, writeWorkbook } from './write-workbook.ts'

const createFormattedSheet = (
  name: string,
  {
    formats,
    values,
    ...expected
  }: { formats: readonly string[]; values: readonly (number | string)[] } & Partial<AwkwardFile>,
): AwkwardFile => ({
  name,
  content: () => {
    const cells = values.map((n, at): Cell => ({ n, style: OWN_STYLE + Math.min(at, formats.length - 1) }))
    return writeWorkbook({ Data: [['v'], ...cells.map((cell) => [cell])] }, { formats })
  },
  ...expected,
})

export const SHEET_FILES: AwkwardFile[] = [
  createFormattedSheet('amounts in marks and new lira, whose widths are letters', {
    formats: [String.raw`_-* #,##0.00\ _D_M_-;\-* #,##0.00\ _D_M_-`, String.raw`_-* #,##0.00\ _Y_T_L_-`, '#,##0*d'],
    values: [12.5, 7, 3],
    columns: ['v:decimal'],
    rows: [['12.5'], ['7'], ['3']],
    isQuiet: true,
  }),
  createFormattedSheet('dates in formats of other countries', {
    formats: [
      '[$-407]d. mmmm yyyy',
      'yyyy"年"m"月"d"日"',
      String.raw`dd\.mm\.yyyy`,
      '[$-F800]dddd, mmmm dd, yyyy',
      'mmm-yy',
    ],
    values: [45_382, 45_383, 45_384, 45_385, 45_386],
    columns: ['v:date'],
    rows: [['2024-03-31'], ['2024-04-01'], ['2024-04-02'], ['2024-04-03'], ['2024-04-04']],
  }),
  createFormattedSheet('moments that are a hair away from a second', {
    formats: ['yyyy-mm-dd hh:mm:ss'],
    values: ['45382.416666666664', '45382.520833333299', '45382.999988425923'],
    columns: ['v:timestamp'],
    rows: [['2024-03-31T10:00:00'], ['2024-03-31T12:30:00'], ['2024-03-31T23:59:59']],
  }),
  createFormattedSheet('numbers whose formats have colours, conditions and units', {
    formats: ['[Red]0.00', '[>=1000]#,##0.0,"k";0', '0.0 "days"', '0.00E+00', String.raw`0\h`],
    values: [1.5, 2500, 3.5, 12_345, 4],
    columns: ['v:decimal'],
    rows: [['1.5'], ['2500'], ['3.5'], ['12345'], ['4']],
  }),
  createFormattedSheet('minutes and seconds that are counted', {
    formats: ['[mm]:ss', '[ss]', '[h]"h"mm'],
    values: [0.0625, 0.001, 2],
    columns: ['v:interval'],
    rows: [['01:30:00'], ['00:01:26.400'], ['48:00:00']],
  }),
  createFormattedSheet('what Excel writes with seventeen digits', {
    formats: ['General'],
    values: ['4.3499999999999996', '0.30000000000000004', '1.1000000000000001'],
    columns: ['v:decimal'],
    rows: [['4.35'], ['0.30000000000000004'], ['1.1']],
  }),
  {
    name: 'texts in several styles, and how they are read aloud',
    content: () =>
      writeWorkbook(
        {
          Data: [
            ['id', 't'],
            [1, { xml: '<c t="s"><v>0</v></c>' }],
            [2, { xml: '<c t="s"><v>1</v></c>' }],
            [
              3,
              {
                xml: '<c t="inlineStr"><is><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
              },
            ],
          ],
        },
        {
          sharedTexts:
            '<si><r><rPr><b/></rPr><t xml:space="preserve">bold </t></r><r><t>plain</t></r></si><si><t>日本</t><rPh sb="0" eb="2"><t>ニホン</t></rPh></si>',
        },
      ),
    columns: ['id:integer', 't:text'],
    rows: [
      ['1', 'bold plain'],
      ['2', '日本'],
      ['3', '東京'],
    ],
  },
  {
    name: 'a workbook with another prefix for the parts of sheets',
    content: () => writeWorkbook({ Data: [['id'], [1], [2]] }, { relation: 'd2p1:id' }),
    columns: ['id:integer'],
    rows: [['1'], ['2']],
  },
  {
    name: 'dates as ISO texts, and texts that formulas gave',
    content: () =>
      writeWorkbook({
        Data: [
          ['d', 'f', 'b'],
          [
            { xml: '<c t="d"><v>2024-03-31</v></c>' },
            { xml: '<c t="str"><f>A1</f><v>007</v></c>' },
            { xml: '<c t="b"><f>1=1</f><v>1</v></c>' },
          ],
          [
            { xml: '<c t="d"><v>2024-04-01</v></c>' },
            { xml: '<c t="str"><f>A2</f><v></v></c>' },
            { xml: '<c t="b"><f>1=2</f><v>0</v></c>' },
          ],
        ],
      }),
    columns: ['d:date', 'f:text', 'b:boolean'],
    rows: [
      ['2024-03-31', '007', 'true'],
      ['2024-04-01', '', 'false'],
    ],
  },
  {
    name: 'cells by their addresses, with gaps and out of the first columns',
    content: () =>
      writeWorkbook({
        Data: [
          [
            { xml: '<c r="A1" t="inlineStr"><is><t>a</t></is></c>' },
            { xml: '<c r="C1" t="inlineStr"><is><t>c</t></is></c>' },
          ],
          [{ xml: '<c r="A2"><v>1</v></c>' }, { xml: '<c r="C2"><v>3</v></c>' }],
          [{ xml: '<c r="C3"><v>4</v></c>' }],
        ],
      }),
    columns: ['a:integer', ':text', 'c:integer'],
    rows: [
      ['1', null, '3'],
      [null, null, '4'],
    ],
  },
  {
    name: 'numbers of sixteen digits that a workbook holds as text and as numbers',
    content: () =>
      writeWorkbook({
        Data: [
          ['t', 'n'],
          ['4111111111111111', { xml: '<c><v>4111111111111111</v></c>' }],
          ['0055000055555559', { xml: '<c><v>5500005555555559</v></c>' }],
        ],
      }),
    columns: ['t:text', 'n:integer'],
    rows: [
      ['4111111111111111', '4111111111111111'],
      ['0055000055555559', '5500005555555559'],
    ],
    isQuiet: true,
  },
]
