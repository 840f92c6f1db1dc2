import type { AwkwardFile } from './load-cells.ts'

const toLines = (...lines: string[]) => `${lines.join('\n')}\n`

export const PROGRAM_FILES: AwkwardFile[] = [
  {
    name: 'COPY of PostgreSQL in its text format: backslashes for signs, \\N for NULL',
    content: toLines('id\tnote', '1\tone\\ntwo', '2\t\\N', '3\tC:\\\\data'),
    columns: ['id:integer', 'note:text'],
    rows: [
      ['1', 'one\\ntwo'],
      ['2', null],
      ['3', 'C:\\\\data'],
    ],
    warning: /loaded as they are written, as in one\\ntwo/,
  },
  {
    name: 'paths without a word for NULL are not told to be signs',
    content: toLines('id\tpath', '1\tC:\\temp', '2\tC:\\new'),
    columns: ['id:integer', 'path:text'],
    rows: [
      ['1', 'C:\\temp'],
      ['2', 'C:\\new'],
    ],
    isQuiet: true,
  },
  {
    name: 'a sum below the rows without a word for it',
    content: toLines('day;shop;amount', '2026-01-01;North;10,50', '2026-01-02;South;1.000,25', ';;1.010,75'),
    columns: ['day:date', 'shop:text', 'amount:decimal'],
    rows: [
      ['2026-01-01', 'North', '10.50'],
      ['2026-01-02', 'South', '1000.25'],
      [null, null, '1010.75'],
    ],
    warning: /The last row looks like a total: 1\.010,75/,
  },
  {
    name: 'ids that happen to add up are no total',
    content: toLines('id,score', '1,x', '2,y', '3,'),
    columns: ['id:integer', 'score:text'],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
      ['3', null],
    ],
    isQuiet: true,
  },
  {
    name: 'write.csv of R: numbers of rows, NA, infinity and an exponent',
    content: toLines(
      '"","name","n","ok","x"',
      '"1","Ada",3,TRUE,0.5',
      '"2","Bob",NA,FALSE,Inf',
      '"3",NA,1e+05,NA,-Inf',
    ),
    columns: [':integer', 'name:text', 'n:float', 'ok:boolean', 'x:decimal'],
    rows: [
      ['1', 'Ada', '3', 'TRUE', '0.5'],
      ['2', 'Bob', null, 'FALSE', 'Infinity'],
      ['3', 'NA', '1e+05', null, '-Infinity'],
    ],
    warning: /“x”: Inf is read as Infinity/,
  },
  {
    name: 'write.table of R: one name less than columns',
    content: toLines('"a","b"', '"1",3,"x"', '"2",4,"y"'),
    columns: ['column_1:integer', 'a:integer', 'b:text'],
    rows: [
      ['1', '3', 'x'],
      ['2', '4', 'y'],
    ],
    warning: /one column less/,
  },
  {
    name: 'write.table of R with spaces',
    content: toLines('"a" "b"', '"1" 3 "x"', '"2" 4 "y"', '"3" 5 "z"'),
    columns: ['column_1:integer', 'a:integer', 'b:text'],
    rows: [
      ['1', '3', 'x'],
      ['2', '4', 'y'],
      ['3', '5', 'z'],
    ],
    warning: /one column less/,
  },
  {
    name: 'savetxt of NumPy',
    content: toLines('a,b', '1.000000000000000000e+00,2.500000000000000000e+00', 'nan,-inf'),
    columns: ['a:decimal', 'b:decimal'],
    rows: [
      ['1.000000000000000000e+00', '2.500000000000000000e+00'],
      ['NaN', '-Infinity'],
    ],
    warning: /nan is read as NaN/,
  },
  {
    name: 'columns that are called inf and nan',
    content: toLines('day,inf,nan', '2024-01-01,2.5,1', '2024-02-01,2.25,2'),
    columns: ['day:date', 'inf:decimal', 'nan:integer'],
    isQuiet: true,
  },
  {
    name: 'people who are called Nan',
    content: toLines('id,name', '1,Nan', '2,Nan'),
    columns: ['id:integer', 'name:text'],
    isQuiet: true,
  },
  {
    name: 'to_csv of pandas: an index, whole numbers with gaps, moments with gaps',
    content: toLines(',a,at', '0,1.0,2024-01-01 10:00:00', '1,,NaT', '2,3.0,2024-01-02 10:00:00'),
    columns: [':integer', 'a:decimal', 'at:timestamp'],
    rows: [
      ['0', '1.0', '2024-01-01T10:00:00'],
      ['1', null, null],
      ['2', '3.0', '2024-01-02T10:00:00'],
    ],
    warning: /“at”: NaT is read as NULL/,
  },
  {
    name: 'SPSS: labels, and #NULL! for what is missing',
    content: toLines('id,age,sex', '1,34,Male', '2,#NULL!,Female', '3,51,Male'),
    columns: ['id:integer', 'age:integer', 'sex:text'],
    rows: [
      ['1', '34', 'Male'],
      ['2', null, 'Female'],
      ['3', '51', 'Male'],
    ],
    warning: /“age”: #NULL! is read as NULL/,
  },
  {
    name: 'SAS: points for what is missing, days without separators',
    content: toLines('id,d,dt,v', '1,01JAN2024,01JAN2024:10:00:00,.', '2,15FEB2024,15FEB2024:11:30:00,4.5'),
    columns: ['id:integer', 'd:text', 'dt:text', 'v:decimal'],
    rows: [
      ['1', '01JAN2024', '01JAN2024:10:00:00', null],
      ['2', '15FEB2024', '15FEB2024:11:30:00', '4.5'],
    ],
  },
  {
    name: 'SAP: days that are not set',
    content: toLines(
      'BELNR;BUDAT;AUGDT',
      '4900001;31.01.2024;00.00.0000',
      '4900002;01.02.2024;15.02.2024',
      '4900003;00.00.0000;00.00.0000',
    ),
    columns: ['BELNR:integer', 'BUDAT:date', 'AUGDT:date'],
    rows: [
      ['4900001', '2024-01-31', null],
      ['4900002', '2024-02-01', '2024-02-15'],
      ['4900003', null, null],
    ],
    warning: /00\.00\.0000 is read as NULL/,
  },
  {
    name: 'MySQL: days of zeros',
    content: toLines('id,born,seen', '1,0000-00-00,0000-00-00 00:00:00', '2,1999-12-31,2024-01-01 10:00:00'),
    columns: ['id:integer', 'born:date', 'seen:timestamp'],
    rows: [
      ['1', null, null],
      ['2', '1999-12-31', '2024-01-01T10:00:00'],
    ],
    warning: /0000-00-00 is read as NULL/,
  },
  {
    name: 'tools for databases: four words for NULL',
    content: toLines('a,b,c,d', '(null),[NULL],<null>,<NA>', '1,2.5,2024-01-01,true', '2,3.5,2024-01-02,false'),
    columns: ['a:integer', 'b:decimal', 'c:date', 'd:boolean'],
    rows: [
      [null, null, null, null],
      ['1', '2.5', '2024-01-01', 'true'],
      ['2', '3.5', '2024-01-02', 'false'],
    ],
    warning: /\(null\) is read as NULL/,
  },
  {
    name: 'Google Sheets: formulas that failed among numbers, and in a column of words',
    content: toLines('id,n,ref', '1,5,x', '2,#DIV/0!,#REF!', '3,7,y', '4,#REF!,z'),
    columns: ['id:integer', 'n:integer', 'ref:text'],
    rows: [
      ['1', '5', 'x'],
      ['2', null, '#REF!'],
      ['3', '7', 'y'],
      ['4', null, 'z'],
    ],
    warning: /“n”: #DIV\/0! is read as NULL/,
  },
  {
    name: 'Salesforce: notes below the rows',
    content: toLines(
      '"Id","Amount","Close Date"',
      '"0065g00000ABCdEAAX","1,234.50","1/31/2024"',
      '"0065g00000ABCeEAAX","0.00","12/1/2024"',
      '',
      '"Grand Totals (2 records)"',
      '"Confidential Information - Do Not Distribute"',
    ),
    columns: ['Id:text', 'Amount:decimal', 'Close Date:date'],
    rows: [
      ['0065g00000ABCdEAAX', '1234.50', '2024-01-31'],
      ['0065g00000ABCeEAAX', '0.00', '2024-12-01'],
    ],
    rejected: [5, 6],
    warning: /2 rows do not fit the header/,
  },
  {
    name: 'Shopify: orders that begin with #, numbers to call behind an apostrophe',
    content: toLines(
      'Name,Email,Created at,Lineitem quantity,Billing Phone',
      "#1001,a@example.com,2024-01-31 10:15:00 +0100,1,'+491701234567",
      '#1001,,,2,',
      "#1002,c@example.com,2024-02-01 11:00:00 +0100,1,'+4930123",
    ),
    columns: ['Name:text', 'Email:text', 'Created at:timestamptz', 'Lineitem quantity:integer', 'Billing Phone:text'],
    rows: [
      ['#1001', 'a@example.com', '2024-01-31T10:15:00+0100', '1', "'+491701234567"],
      ['#1001', null, null, '2', null],
      ['#1002', 'c@example.com', '2024-02-01T11:00:00+0100', '1', "'+4930123"],
    ],
  },
  {
    name: 'DB2: amounts with signs and zeros, without a header',
    content: toLines('"a",+0001234.50', '"b",-0000007.00', '"c",+0000000.10'),
    columns: ['column_1:text', 'column_2:text'],
    rows: [
      ['a', '+0001234.50'],
      ['b', '-0000007.00'],
      ['c', '+0000000.10'],
    ],
  },
  {
    name: 'Excel: numbers of articles that it has already shortened',
    content: toLines('ean,n', '4.00638E+12,1', '5.9012E+12,2'),
    columns: ['ean:float', 'n:integer'],
    rows: [
      ['4.00638E+12', '1'],
      ['5.9012E+12', '2'],
    ],
    warning: /“ean”: 4\.00638E\+12 .* digits/,
  },
  {
    name: 'JSON in a column, with a field that stands twice',
    content: toLines('id,payload', '1,"{""a"": 1, ""a"": 2}"', '2,"{""b"": 1.10}"'),
    columns: ['id:integer', 'payload:text'],
    rows: [
      ['1', '{"a": 1, "a": 2}'],
      ['2', '{"b": 1.10}'],
    ],
  },
  {
    name: 'JSON in a column, with a character that Postgres has not',
    content: toLines('id,payload', '1,"{""a"": ""x\\u0000y""}"', '2,"{""b"": ""\\\\u0000""}"'),
    columns: ['id:integer', 'payload:text'],
    rows: [
      ['1', '{"a": "x\\u0000y"}'],
      ['2', '{"b": "\\\\u0000"}'],
    ],
  },
  {
    name: 'lines of objects with a comma behind each',
    content: '\ufeff{"a":1},\r\n{"a":2},\r\n',
    fileName: 'export.ndjson',
    columns: ['a:integer'],
    rows: [['1'], ['2']],
    isQuiet: true,
  },
  {
    name: 'a field of JSON that is a number, a text and an answer',
    content: '[{"a":1,"b":"x"},{"a":"02","b":null},{"a":true,"c":[1]}]',
    fileName: 'mixed.json',
    columns: ['a:text', 'b:text', 'c:json'],
    rows: [
      ['1', 'x', null],
      ['02', null, null],
      ['true', null, '[1]'],
    ],
  },
  {
    name: 'an export of MongoDB',
    content: '{"_id":{"$oid":"65b"},"n":{"$numberLong":"9007199254740993"},"at":{"$date":"2024-01-31T10:00:00Z"}}\n',
    fileName: 'export.json',
    columns: ['_id:json', 'n:json', 'at:json'],
    rows: [['{"$oid":"65b"}', '{"$numberLong":"9007199254740993"}', '{"$date":"2024-01-31T10:00:00Z"}']],
  },
  {
    name: 'rows separated by the sign for it',
    content: 'a\u001fb\u001e1\u001fx\u001e2\u001fy\u001e',
    refused: /separated by the character U\+001E/,
  },
]
