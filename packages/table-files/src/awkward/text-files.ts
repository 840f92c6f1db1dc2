import type { AwkwardFile } from './load-cells.ts'

const AB = ['a:integer', 'b:text']
const ROWS = [
  ['1', 'x'],
  ['2', 'y'],
]
const joinLines = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n')
const createDelimitedFile = (name: string, sign: string): AwkwardFile => ({
  name: `values separated by ${name}`,
  content: `a${sign}b\n1${sign}x\n2${sign}y\n`,
  columns: AB,
  rows: ROWS,
})
const encodeText = (text: string, encoding: 'latin1' | 'utf16le') => Buffer.from(text, encoding)

const SHIFT_JIS = Buffer.from('69642c6e616d650a312c93fa967b82cc826c0a322c938c8b9e82c58381838a0a', 'hex')
const GB18030 = Buffer.from('69642c6e616d650a312cb1b1bea9cad00a322cc9cfbaa3cad00a', 'hex')

export const TEXT_FILES: AwkwardFile[] = [
  createDelimitedFile('commas', ','),
  createDelimitedFile('semicolons', ';'),
  createDelimitedFile('tabs', '\t'),
  createDelimitedFile('pipes', '|'),
  createDelimitedFile('colons', ':'),
  createDelimitedFile('carets', '^'),
  createDelimitedFile('tildes', '~'),
  createDelimitedFile('exclamation marks', '!'),
  createDelimitedFile('the unit separator', '\u001f'),
  createDelimitedFile('the sign Hive uses', '\u0001'),
  {
    name: 'a semicolon file with commas in its text',
    content: 'n;t\n1;a, b\n2;c, d\n',
    columns: ['n:integer', 't:text'],
    rows: [
      ['1', 'a, b'],
      ['2', 'c, d'],
    ],
  },
  {
    name: 'commas in the names of people',
    content: 'name;age\nSmith, John;12\nDoe, Jane;13\n',
    columns: ['name:text', 'age:integer'],
    rows: [
      ['Smith, John', '12'],
      ['Doe, Jane', '13'],
    ],
  },
  { name: 'a line that says the delimiter', content: 'sep=;\na;b\n1;x\n2;y\n', columns: AB, rows: ROWS },
  { name: 'the same for commas', content: 'sep=,\na,b\n1,x\n2,y\n', columns: AB, rows: ROWS },
  { name: 'delimiters at the end of each row', content: 'a,b\n1,x,\n2,y,\n', columns: AB, rows: ROWS },
  { name: 'delimiters at the end of rows and header', content: 'a,b,\n1,x,\n2,y,\n', columns: AB, rows: ROWS },
  { name: 'several delimiters at the end', content: 'a;b\n1;x;;;\n2;y;;;\n', columns: AB, rows: ROWS },
  {
    name: 'a column at the end that has values but no name',
    content: 'a,b,\n1,x,7\n2,y,8\n',
    columns: ['a:integer', 'b:text', ':integer'],
    rows: [
      ['1', 'x', '7'],
      ['2', 'y', '8'],
    ],
  },
  { name: 'a title', content: 'Report of May\na,b\n1,x\n2,y\n', columns: AB, rows: ROWS },
  { name: 'a title and an empty line', content: 'Report of May\n\na,b\n1,x\n2,y\n', columns: AB, rows: ROWS },
  {
    name: 'a title with all its delimiters',
    content: 'Report of May;;;\n;;;\na;b;c;d\n1;x;2;3\n2;y;4;5\n',
    columns: ['a:integer', 'b:text', 'c:integer', 'd:integer'],
    rows: [
      ['1', 'x', '2', '3'],
      ['2', 'y', '4', '5'],
    ],
  },
  {
    name: 'facts above the table',
    content: 'Created:,2024-01-01\nBy:,Ada\n\nid,name,amount,day\n1,x,2,2024-01-01\n2,y,4,2024-01-02\n',
    columns: ['id:integer', 'name:text', 'amount:integer', 'day:date'],
  },
  { name: 'empty lines in front', content: '\n\na,b\n1,x\n2,y\n', columns: AB, rows: ROWS },
  { name: 'a title in a file with CR', content: 'Report\ra,b\r1,x\r2,y\r', columns: AB, rows: ROWS },
  { name: 'comments in front', content: '# made by x\n# on Monday\na,b\n1,x\n2,y\n', columns: AB, rows: ROWS },
  { name: 'comments between rows', content: 'a,b\n# note\n1,x\n# another\n2,y\n', columns: AB, rows: ROWS },
  { name: 'a header that begins with #', content: '#a,b\n1,x\n2,y\n', columns: ['#a:integer', 'b:text'], rows: ROWS },
  {
    name: 'values that begin with #',
    content: 'tag,n\n#one,1\n#two,2\n',
    columns: ['tag:text', 'n:integer'],
    rows: [
      ['#one', '1'],
      ['#two', '2'],
    ],
  },
  { name: 'no header', content: '1,x\n2,y\n', columns: ['column_1:integer', 'column_2:text'], rows: ROWS },
  {
    name: 'no header, words only',
    content: 'red,small\nred,large\nblue,small\n',
    columns: ['column_1:text', 'column_2:text'],
    rows: [
      ['red', 'small'],
      ['red', 'large'],
      ['blue', 'small'],
    ],
  },
  {
    name: 'a header of years',
    content: 'region,2022,2023,2024\nnorth,1,2,3\nsouth,4,5,6\n',
    columns: ['region:text', '2022:integer', '2023:integer', '2024:integer'],
    rows: [
      ['north', '1', '2', '3'],
      ['south', '4', '5', '6'],
    ],
  },
  {
    name: 'years without a header',
    content: '2020\n2021\n2022\n',
    columns: ['column_1:integer'],
    rows: [['2020'], ['2021'], ['2022']],
  },
  {
    name: 'a header over text only',
    content: 'first,last\nAda,Lovelace\nAlan,Turing\n',
    columns: ['first:text', 'last:text'],
    rows: [
      ['Ada', 'Lovelace'],
      ['Alan', 'Turing'],
    ],
  },
  {
    name: 'a header of two rows',
    content: 'Region,2023,,2024,\n,Q1,Q2,Q1,Q2\nnorth,1,2,3,4\nsouth,5,6,7,8\n',
    columns: ['Region:text', '2023 Q1:integer', '2023 Q2:integer', '2024 Q1:integer', '2024 Q2:integer'],
    rows: [
      ['north', '1', '2', '3', '4'],
      ['south', '5', '6', '7', '8'],
    ],
  },
  {
    name: 'a header with fewer names than columns',
    content: 'a,b\n1,2,3\n4,5,6\n',
    columns: ['column_1:integer', 'column_2:integer', 'column_3:integer'],
    rows: [
      ['1', '2', '3'],
      ['4', '5', '6'],
    ],
    warning: /names fewer columns/,
  },
  {
    name: 'short rows',
    content: 'a,b,c\n1,x,2\n2,y\n3,z,4\n',
    columns: ['a:integer', 'b:text', 'c:integer'],
    rows: [
      ['1', 'x', '2'],
      ['2', 'y', null],
      ['3', 'z', '4'],
    ],
    warning: /One row has fewer values than the header, the first in line 3/,
  },
  {
    name: 'short rows, not filled',
    content: 'a,b,c\n1,x,2\n2,y\n3,z,4\n',
    given: { fill_short_rows: false },
    rows: [
      ['1', 'x', '2'],
      ['3', 'z', '4'],
    ],
    rejected: [3],
  },
  {
    name: 'long rows',
    content: 'a,b\n1,x\n2,y,z\n',
    columns: AB,
    rows: [['1', 'x']],
    rejected: [3],
    warning: /line 3/,
  },
  {
    name: 'a row that a line end tore',
    content: `id,t,n\n${joinLines(50, (at) => `${at},text,${at}`)}\n50,first\nsecond,50\n51,text,51\n`,
    columns: ['id:integer', 't:text', 'n:integer'],
    rejected: [52, 53],
  },
  {
    name: 'a note behind the table',
    content: `id,n\n${joinLines(40, (at) => `${at},${at}`)}\nThis is the end of the report\n`,
    columns: ['id:integer', 'n:integer'],
    rejected: [42],
  },
  {
    name: 'single quotes',
    content: "a,b\n1,'x,1'\n2,'y,2'\n3,'z'\n",
    columns: AB,
    rows: [
      ['1', 'x,1'],
      ['2', 'y,2'],
      ['3', 'z'],
    ],
  },
  {
    name: 'apostrophes that are no quotes',
    content: "a,b\n1,it's\n2,'tis\n",
    columns: AB,
    rows: [
      ['1', "it's"],
      ['2', "'tis"],
    ],
  },
  {
    name: 'inches',
    content: 'a,b\n1,5" pipe\n2,6" pipe\n',
    columns: AB,
    rows: [
      ['1', '5" pipe'],
      ['2', '6" pipe'],
    ],
    isQuiet: true,
  },
  {
    name: 'a quote that never closes',
    content: `a,b\n${joinLines(30, (at) => `${at},x`)}\n30,"open\n31,y\n`,
    columns: AB,
    warning: /[Qq]uote/,
  },
  {
    name: 'text behind a closing quote',
    content: 'a,b\n1,"x"y\n2,z\n3,w\n4,v\n5,u\n6,t\n',
    columns: AB,
    warning: /text behind a closing quote, the first in line 2: 1,"x"y/,
  },
  {
    name: 'quotes behind a backslash',
    content: 'a,b\n1,"say \\"hi\\", you"\n2,"plain"\n',
    columns: AB,
    rows: [
      ['1', 'say "hi", you'],
      ['2', 'plain'],
    ],
  },
  {
    name: 'line ends inside quotes',
    content: 'a,b\r\n1,"x\ny"\r\n2,"p\r\nq"\r\n',
    columns: AB,
    rows: [
      ['1', 'x\ny'],
      ['2', 'p\r\nq'],
    ],
  },
  {
    name: 'all kinds of line ends',
    content: 'a,b\r\n1,x\n2,y\r3,z',
    columns: AB,
    rows: [
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'z'],
    ],
  },
  {
    name: 'answers',
    content: 'a\nYes\nNo\nYes\n',
    columns: ['a:boolean'],
    rows: [['Yes'], ['No'], ['Yes']],
    warning: /Yes is read as true/,
  },
  {
    name: 'answers in capitals',
    content: 'a,b\nTRUE,1\nFALSE,2\n',
    columns: ['a:boolean', 'b:integer'],
    warning: /TRUE is read as true/,
  },
  { name: 'plain answers', content: 'a,b\ntrue,1\nfalse,2\n', columns: ['a:boolean', 'b:integer'], isQuiet: true },
  {
    name: 'UUIDs in capitals',
    content: 'id,n\nA0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11,1\n',
    columns: ['id:uuid', 'n:integer'],
    warning: /capital letters/,
  },
  {
    name: 'one Latin-1 byte in a UTF-8 file',
    content: Buffer.concat([
      Buffer.from(`id,n\n${joinLines(6000, (at) => `${at},Zürich`)}\n`),
      encodeText('6000,Z\u00fcrich\n', 'latin1'),
      Buffer.from('6001,Genève\n'),
    ]),
    columns: ['id:integer', 'n:text'],
    rejected: [6002],
  },
  {
    name: 'Latin-1',
    content: encodeText('id,n\n1,Z\u00fcrich\n2,Gen\u00e8ve\n', 'latin1'),
    columns: ['id:integer', 'n:text'],
    rows: [
      ['1', 'Zürich'],
      ['2', 'Genève'],
    ],
    warning: /read as Windows-1252/,
  },
  {
    name: 'names with accents in Latin-1',
    content: encodeText('id,n\n1,H\u00e9l\u00e8ne\n2,Jos\u00e9\n', 'latin1'),
    rows: [
      ['1', 'Hélène'],
      ['2', 'José'],
    ],
  },
  {
    name: 'Windows-1252',
    content: Buffer.from('69642c740a312c93686994202d2080350a', 'hex'),
    rows: [['1', '“hi” - €5']],
  },
  {
    name: 'Shift JIS',
    content: SHIFT_JIS,
    columns: ['id:integer', 'name:text'],
    rows: [
      ['1', '日本のＭ'],
      ['2', '東京でメリ'],
    ],
    warning: /Shift JIS/,
  },
  {
    name: 'GB18030',
    content: GB18030,
    columns: ['id:integer', 'name:text'],
    rows: [
      ['1', '北京市'],
      ['2', '上海市'],
    ],
    warning: /GB18030/,
  },
  {
    name: 'UTF-16',
    content: encodeText('\ufeffid,n\n1,ä\n2,日本\n', 'utf16le'),
    columns: ['id:integer', 'n:text'],
    rows: [
      ['1', 'ä'],
      ['2', '日本'],
    ],
  },
  {
    name: 'UTF-16 with the big end first',
    content: encodeText('\ufeffid,n\n1,ä\n', 'utf16le').swap16(),
    rows: [['1', 'ä']],
  },
  {
    name: 'UTF-16 without a mark',
    content: encodeText('id,n\n1,a\n2,b\n', 'utf16le'),
    rows: [
      ['1', 'a'],
      ['2', 'b'],
    ],
  },
  { name: 'UTF-8 with a mark', content: '\ufeffid,n\n1,ä\n', columns: ['id:integer', 'n:text'], rows: [['1', 'ä']] },
  { name: 'a zero byte in a row', content: 'a,b\n1,x\n2,b\0c\n', columns: AB, rows: [['1', 'x']], rejected: [3] },
  { name: 'a header only', content: 'a,b\n', columns: ['a:text', 'b:text'], rows: [] },
  {
    name: 'a column of nothing',
    content: 'a,b\n1,\n2,\n',
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', null],
      ['2', null],
    ],
  },
  { name: 'formulas', content: 'a\n=1+1\n@SUM(A1)\n', columns: ['a:text'], rows: [['=1+1'], ['@SUM(A1)']] },
  {
    name: 'text of one column with commas',
    content: 'note\nThis is it, they said.\nNo comma here\nWell, well, well\n',
    columns: ['note:text'],
  },
  {
    name: 'JSON in a column',
    content: 'a\tb\n1\t{"x": 1}\n2\t[1,2]\n',
    columns: ['a:integer', 'b:json'],
    rows: [
      ['1', '{"x": 1}'],
      ['2', '[1,2]'],
    ],
  },
]
