import type { AwkwardFile } from './load-cells.ts'

const toLines = (...lines: string[]) => `${lines.join('\n')}\n`
const AB = ['id:integer', 't:text']
const TWO_ROWS = [
  ['1', 'a'],
  ['2', 'b'],
]

export const EXPORT_FILES: AwkwardFile[] = [
  {
    name: 'a total of Google Ads, with the name of what is added up',
    content: toLines('Campaign,Clicks', 'Brand,12', 'Generic,5', 'Total: Account,17'),
    columns: ['Campaign:text', 'Clicks:integer'],
    rows: [
      ['Brand', '12'],
      ['Generic', '5'],
      ['Total: Account', '17'],
    ],
    warning: /last row looks like a total: Total: Account, 17/,
  },
  {
    name: 'a shop whose name begins with total',
    content: toLines('shop,n', 'Other,12', 'Total Wine,17'),
    columns: ['shop:text', 'n:integer'],
    isQuiet: true,
  },
  {
    name: 'dashes for nothing with a space in front',
    content: toLines('day,score', '2024-01-01, --', '2024-01-02,7', '2024-01-03,8'),
    columns: ['day:date', 'score:integer'],
    rows: [
      ['2024-01-01', null],
      ['2024-01-02', '7'],
      ['2024-01-03', '8'],
    ],
    warning: /“score”: -- is read as NULL/,
  },
  {
    name: 'spaces for nothing among decimal commas, as SPSS writes them',
    content: toLines('id;kg', '1;72,5', '2; ', '3;   ', '4;80,25'),
    columns: ['id:integer', 'kg:decimal'],
    rows: [
      ['1', '72.5'],
      ['2', null],
      ['3', null],
      ['4', '80.25'],
    ],
    warning: /“kg”: a value of spaces alone is read as NULL \(2 values\)/,
  },
  {
    name: 'spaces in a column of text stay',
    content: toLines('id,t', '1, ', '2,x'),
    columns: AB,
    rows: [
      ['1', ' '],
      ['2', 'x'],
    ],
    isQuiet: true,
  },
  { name: 'a line of spaces below the rows', content: 'id,t\n1,a\n2,b\n   \n', columns: AB, rows: TWO_ROWS },
  { name: 'the end of a file as DOS marks it', content: 'id,t\n1,a\n2,b\n\u001a', columns: AB, rows: TWO_ROWS },
  {
    name: 'columns separated by spaces, as R writes them',
    content: toLines('"name" "n" "y"', '"Ada" 3 "x z"', '"Bob, B" 4 "w"'),
    columns: ['name:text', 'n:integer', 'y:text'],
    rows: [
      ['Ada', '3', 'x z'],
      ['Bob, B', '4', 'w'],
    ],
  },
  {
    name: 'words with spaces in one column',
    content: toLines('place', 'New York', 'Los Angeles', 'San Jose'),
    columns: ['place:text'],
    rows: [['New York'], ['Los Angeles'], ['San Jose']],
  },
  {
    name: 'two files one behind the other, each with its mark',
    content: '\ufeffid,t\n1,a\n\ufeffid,t\n2,b\n',
    columns: ['id:text', 't:text'],
  },
  {
    name: 'amounts with a plus sign',
    content: toLines('n', '+1.50', '-2.50', '"+1,200.00"'),
    columns: ['n:decimal'],
    rows: [['1.50'], ['-2.50'], ['1200.00']],
    warning: /\+1\.50 is read as 1\.50\./,
  },
  {
    name: 'numbers to call with a point',
    content: toLines('phone', '+49.30123456', '+1.2125550199'),
    columns: ['phone:text'],
    rows: [['+49.30123456'], ['+1.2125550199']],
  },
  {
    name: 'negatives in brackets behind a currency',
    content: toLines('n', '"$ (1,200.00)"', '"$3,400.50"'),
    columns: ['n:decimal'],
    rows: [['-1200.00'], ['3400.50']],
    warning: /\$ \(1,200\.00\) is read as -1200\.00, without its currency/,
  },
  {
    name: 'postcodes that only a late one shows to be such',
    content: toLines('zip', ...Array.from({ length: 3000 }, (_, at) => String(10_000 + at)), '01067'),
    columns: ['zip:text'],
  },
  {
    name: 'digits that only a share of cards begins with zero',
    content: toLines('id,card_last4', 'ch_1,4242', 'ch_2,1234', 'ch_3,0042'),
    columns: ['id:text', 'card_last4:text'],
  },
  {
    name: 'amounts of a shop with commas, all in quotes',
    content: toLines('id,Created,Amount', 'ch_1,2024-01-01 10:00,"12,50"', 'ch_2,2024-01-02 11:00,"1.250,00"'),
    columns: ['id:text', 'Created:timestamp', 'Amount:decimal'],
    rows: [
      ['ch_1', '2024-01-01T10:00:00', '12.50'],
      ['ch_2', '2024-01-02T11:00:00', '1250.00'],
    ],
  },
  {
    name: 'days that there are not',
    content: toLines('d', '2024-02-28', '2024-02-30', '0000-00-00', '24:00'),
    columns: ['d:text'],
    rows: [['2024-02-28'], ['2024-02-30'], ['0000-00-00'], ['24:00']],
  },
  {
    name: 'ranges and genes that Excel takes for dates',
    content: toLines('n,g', '1-2,SEPT1', '3-4,MARCH1', '10-12,DEC1'),
    columns: ['n:text', 'g:text'],
    isQuiet: true,
  },
]
