import type { AwkwardFile } from './load-cells.ts'
import { writeWorkbook } from './write-workbook.ts'

export const REPORT_FILES: AwkwardFile[] = [
  {
    name: 'spaces in front of quotes',
    content: 'a, b, c\n1, "x, y", 3\n2, "z ""q""", 4\n3, plain, 5\n',
    columns: ['a:integer', ' b:text', ' c:integer'],
    rows: [
      ['1', 'x, y', '3'],
      ['2', 'z "q"', '4'],
      ['3', ' plain', '5'],
    ],
    isQuiet: true,
  },
  {
    name: 'spaces in front of quotes with line ends inside',
    content: 'a; b\n1;  "x\ny"\n2; "z"\n',
    columns: ['a:integer', ' b:text'],
    rows: [
      ['1', 'x\ny'],
      ['2', 'z'],
    ],
  },
  {
    name: 'one row in another encoding',
    content: Buffer.concat([Buffer.from('name,n\nJosé,1\nMüller,2\n'), Buffer.from('Zoë,3\n', 'latin1')]),
    columns: ['name:text', 'n:integer'],
    rows: [
      ['José', '1'],
      ['Müller', '2'],
    ],
    rejected: [4],
    warning: /One row can not be read as UTF-8 \(line 4\)/,
  },
  {
    name: 'a total below the rows',
    content: 'region,amount\nNorth,10.50\nSouth,20.25\nTotal,30.75\n',
    columns: ['region:text', 'amount:decimal'],
    rows: [
      ['North', '10.50'],
      ['South', '20.25'],
      ['Total', '30.75'],
    ],
    warning: /last row looks like a total: Total, 30.75/,
  },
  {
    name: 'a word for totals that is a name',
    content: 'company,city\nTotal,Paris\nShell,London\nTotal,Berlin\n',
    isQuiet: true,
  },
  {
    name: 'files one behind the other, each with its header',
    content: 'id,amount\n1,2.5\n2,3.5\nid,amount\n3,4.5\n',
    columns: ['id:text', 'amount:text'],
    rows: [
      ['1', '2.5'],
      ['2', '3.5'],
      ['id', 'amount'],
      ['3', '4.5'],
    ],
  },
  {
    name: 'moments with and without a time zone',
    content: 't\n2024-01-01T10:00:00+02:00\n2024-01-01T11:00:00\n',
    columns: ['t:timestamptz'],
    rows: [['2024-01-01T10:00:00+02:00'], ['2024-01-01T11:00:00']],
    warning: /2024-01-01T11:00:00 names no time zone .* read as UTC/,
  },
  {
    name: 'moments with and without a time zone in JSON',
    fileName: 'events.jsonl',
    content: '{"t":"2024-01-01T10:00:00Z"}\n{"t":"2024-01-01"}\n',
    columns: ['t:timestamptz'],
    rows: [['2024-01-01T10:00:00Z'], ['2024-01-01']],
    warning: /2024-01-01 names no time zone/,
  },
  {
    name: 'JSON numbers beyond floating ones',
    fileName: 'events.jsonl',
    content: '{"v":1e400}\n{"v":0.1}\n',
    columns: ['v:decimal'],
    rows: [['1e400'], ['0.1']],
  },
  {
    name: 'a line of words above a line with a comma',
    content: '2024-01-01 10:00:00 INFO start\n2024-01-01 10:00:01 WARN disk, low\n',
    warning: /skipped although they look like rows: 2024-01-01 10:00:00 INFO start/,
  },
  {
    name: 'two tables in a sheet',
    content: () => writeWorkbook({ Data: [['a', 'b'], [1, 2], [3, 4], [], ['x', 'y', 'z'], [5, 6, 7]] }),
    columns: ['x:integer', 'y:integer', 'z:integer'],
    rows: [['5', '6', '7']],
    warning: /skipped although they look like rows: a, b/,
  },
  {
    name: 'formulas that nothing calculated',
    content: () =>
      writeWorkbook({
        Data: [
          ['a', 'b'],
          [1, { formula: 'A2*2' }],
          [2, { formula: 'A3*2' }],
        ],
      }),
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', null],
      ['2', null],
    ],
    warning: /2 cells hold formulas without a result, the first in row 2; NULL is loaded instead/,
  },
  {
    name: 'a sheet that begins in column C',
    content: () =>
      writeWorkbook({ Data: [[], [null, null, 'id', 'name'], [null, null, 1, 'x'], [null, null, 2, 'y']] }),
    columns: [':text', ':text', 'id:integer', 'name:text'],
    rows: [
      [null, null, '1', 'x'],
      [null, null, '2', 'y'],
    ],
  },
]
