import { describe, test } from 'vitest'
import { type AwkwardFile, expectFile } from './load-cells.ts'

const FILES: AwkwardFile[] = [
  {
    name: 'a grouped number beside one that shows the decimal comma',
    content: 'a;b\n1.234,56;1.000\n',
    columns: ['a:decimal', 'b:integer'],
    rows: [['1234.56', '1000']],
    warning: /“b”: 1\.000 is read as 1000/,
  },
  {
    name: 'the same with a decimal point',
    content: 'a,b\n"1,234.56","1,000"\n7.5,"2,500"\n',
    columns: ['a:decimal', 'b:integer'],
    rows: [
      ['1234.56', '1000'],
      ['7.5', '2500'],
    ],
    warning: /1,000 is read as 1000/,
  },
  {
    name: 'points and commas in columns of their own',
    content: 'lat;price\n52.5;1,5\n48.25;2,75\n',
    columns: ['lat:decimal', 'price:decimal'],
    rows: [
      ['52.5', '1.5'],
      ['48.25', '2.75'],
    ],
  },
  {
    name: 'three decimals and nothing else to tell by',
    content: 'id,weight\n1,1.234\n2,2.500\n',
    columns: ['id:integer', 'weight:decimal'],
    rows: [
      ['1', '1.234'],
      ['2', '2.500'],
    ],
    warning: /“weight”: 1\.234 is read as 1\.234, with a decimal point; with a decimal comma it would be 1234/,
  },
  {
    name: 'one value that shows which it is',
    content: 'id,weight\n1,1.234\n2,0.5\n',
    columns: ['id:integer', 'weight:decimal'],
    rows: [
      ['1', '1.234'],
      ['2', '0.5'],
    ],
    isQuiet: true,
  },
  {
    name: 'groups parted by spaces',
    content: 'n;m\n1 234,56;12 345\n7,00;999\n',
    columns: ['n:decimal', 'm:integer'],
    rows: [
      ['1234.56', '12345'],
      ['7.00', '999'],
    ],
  },
  {
    name: 'groups parted by no-break spaces, wide and narrow',
    content: 'n;m\n1\u00a0234,56;1\u202f234\n7,00;5\n',
    columns: ['n:decimal', 'm:integer'],
    rows: [
      ['1234.56', '1234'],
      ['7.00', '5'],
    ],
  },
  {
    name: 'groups parted by apostrophes',
    content: "n\n1'234.50\n12'000.25\n",
    columns: ['n:decimal'],
    rows: [['1234.50'], ['12000.25']],
  },
  {
    name: 'groups as in India',
    content: 'n\n"12,34,567.50"\n"1,23,456"\n',
    columns: ['n:decimal'],
    rows: [['1234567.50'], ['123456']],
  },
  {
    name: 'amounts with a currency',
    content: 'p\n"$1,234.50"\n$5.00\n-$3.25\n',
    columns: ['p:decimal'],
    rows: [['1234.50'], ['5.00'], ['-3.25']],
    warning: /\$1,234\.50 is read as 1234\.50, without its currency/,
  },
  {
    name: 'amounts with a currency behind them',
    content: 'p;q\n1.234,50 €;1\n5,00 €;2\n',
    columns: ['p:decimal', 'q:integer'],
    rows: [
      ['1234.50', '1'],
      ['5.00', '2'],
    ],
    warning: /without its currency/,
  },
  {
    name: 'amounts in two currencies',
    content: 'p\n$5.00\n€6.00\n',
    columns: ['p:text'],
    rows: [['$5.00'], ['€6.00']],
  },
  {
    name: 'numbers that begin with zeros',
    content: 'zip\n01067\n12345\n',
    columns: ['zip:text'],
    rows: [['01067'], ['12345']],
  },
  {
    name: 'numbers that begin with zeros, far behind',
    content: `id,zip\n${Array.from({ length: 3000 }, (_, at) => `${at},${10_000 + at}`).join('\n')}\n9,00501\n`,
    columns: ['id:integer', 'zip:text'],
  },
  {
    name: 'whole numbers beyond bigint',
    content: 'id\n12345678901234567890\n9223372036854775808\n1\n',
    columns: ['id:decimal'],
    rows: [['12345678901234567890'], ['9223372036854775808'], ['1']],
    isQuiet: true,
  },
  { name: 'the largest bigint', content: 'id\n9223372036854775807\n-9223372036854775808\n', columns: ['id:integer'] },
  {
    name: 'a whole number of 60 digits',
    content: `id\n${'1234567890'.repeat(6)}\n`,
    columns: ['id:decimal'],
    rows: [['1234567890'.repeat(6)]],
  },
  { name: 'numbers of telephones', content: 'phone\n+49 30 1234567\n+1 212 5550199\n', columns: ['phone:text'] },
  {
    name: 'numbers of telephones in groups',
    content: 'phone\n555 123 456\n555 987 654\n',
    columns: ['phone:text'],
    rows: [['555 123 456'], ['555 987 654']],
  },
  { name: 'cards and accounts', content: 'card\n4111 1111 1111 1111\n5500 0000 0000 0004\n', columns: ['card:text'] },
  { name: 'numbers with a plus sign', content: 'n\n+5\n+7\n', columns: ['n:text'], rows: [['+5'], ['+7']] },
  {
    name: 'numbers with an exponent',
    content: 'n\n1.5e3\n2E-5\n-3.25E+10\n',
    columns: ['n:float'],
    rows: [['1.5e3'], ['2E-5'], ['-3.25E+10']],
  },
  {
    name: 'exponents with more digits than a floating number keeps',
    content: 'n\n1.2345678901234567890e3\n5\n',
    columns: ['n:decimal'],
  },
  {
    name: 'codes that look like exponents',
    content: 'code\n12e4\n1E5\n',
    columns: ['code:text'],
    rows: [['12e4'], ['1E5']],
  },
  {
    name: 'decimals with all their zeros',
    content: 'n\n1.50\n2.00\n0.10\n',
    columns: ['n:decimal'],
    rows: [['1.50'], ['2.00'], ['0.10']],
  },
  {
    name: 'more decimals than a floating number keeps',
    content: 'n\n0.12345678901234567890123\n1\n',
    columns: ['n:decimal'],
    rows: [['0.12345678901234567890123'], ['1']],
  },
  {
    name: 'decimals without a digit in front',
    content: 'n\n.5\n-.25\n1\n',
    columns: ['n:decimal'],
    rows: [['.5'], ['-.25'], ['1']],
  },
  { name: 'minus zero', content: 'n\n-0\n5\n', columns: ['n:text'], rows: [['-0'], ['5']] },
  { name: 'shares in percent', content: 'n\n12%\n7.5%\n', columns: ['n:text'], rows: [['12%'], ['7.5%']] },
  { name: 'negatives in brackets', content: 'n\n(5.00)\n7.00\n', columns: ['n:text'] },
  {
    name: 'numbers in quotes with commas inside',
    content: 'n,m\n"1,5","x"\n"2,25","y"\n',
    columns: ['n:decimal', 'm:text'],
    rows: [
      ['1.5', 'x'],
      ['2.25', 'y'],
    ],
  },
  {
    name: 'one column of decimal commas',
    content: 'n\n1,5\n2,25\n',
    columns: ['n:decimal'],
    rows: [['1.5'], ['2.25']],
  },
  { name: 'NaN among numbers', content: 'n\n1.5\nNaN\n', columns: ['n:decimal'], rows: [['1.5'], ['NaN']] },
  { name: 'numbers with spaces around', content: 'n,m\n 5 ,x\n 6 ,y\n', columns: ['n:integer', 'm:text'] },
  { name: 'versions', content: 'v\n1.2.3\n1.10.12\n', columns: ['v:text'], rows: [['1.2.3'], ['1.10.12']] },
  { name: 'addresses of computers', content: 'ip\n10.0.0.1\n192.168.1.20\n', columns: ['ip:text'] },
  { name: 'zeros and ones', content: 'flag\n0\n1\n1\n', columns: ['flag:integer'] },
  { name: 'other digits', content: 'n\n१२\n３４\n', columns: ['n:text'], rows: [['१२'], ['３４']] },
  {
    name: 'words for nothing among numbers',
    content: 'a,country\n1,NA\nNA,DE\n3,NA\n',
    columns: ['a:integer', 'country:text'],
    rows: [
      ['1', 'NA'],
      [null, 'DE'],
      ['3', 'NA'],
    ],
    warning: /“a”: NA is read as NULL/,
  },
  {
    name: 'dashes for nothing',
    content: 'n,t\n-,a\n5,-\n',
    columns: ['n:integer', 't:text'],
    rows: [
      [null, 'a'],
      ['5', '-'],
    ],
  },
  {
    name: 'a word for nothing far behind',
    content: `n\n${'5\n'.repeat(5000)}N/A\n`,
    columns: ['n:integer'],
    warning: /N\/A is read as NULL/,
  },
  {
    name: 'nothing but words for nothing',
    content: 'a,b\n1,NULL\n2,NULL\n',
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', 'NULL'],
      ['2', 'NULL'],
    ],
  },
  {
    name: 'nothing as MySQL writes it',
    content: 'a\tb\n1\t\\N\n\\N\tx\n',
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', null],
      [null, 'x'],
    ],
  },
]

describe.each(FILES)('$name', (file) => {
  test('keeps every value', async () => await expectFile(file))
})
