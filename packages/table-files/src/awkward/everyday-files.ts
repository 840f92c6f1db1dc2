import type { AwkwardFile } from './load-cells.ts'

const encodeLatin1 = (text: string) => Buffer.from(text, 'latin1')
const TWO_PEOPLE = [
  ['1', 'Ada'],
  ['2', 'Bob'],
]
const PEOPLE = ['id:integer', 'name:text']
const PIPED = [
  [null, '1', 'Ada'],
  [null, '2', 'Bob'],
]

export const EVERYDAY_FILES: AwkwardFile[] = [
  {
    name: 'statement of a bank with facts above it and a balance below',
    content: encodeLatin1(
      [
        'Umsätze Girokonto;;;;;;Kundennummer: 100 1234567',
        'Zeitraum 01.01.2024 - 31.01.2024',
        'Alter Kontostand;;;;1.000,00;EUR',
        'Buchungstag;Wert;Umsatzart;Begünstigter;Soll;Haben;Währung',
        '22.01.2024;22.01.2024;SEPA;Müller;-1.010,00;;EUR',
        '23.01.2024;23.01.2024;SEPA;B;;20,00;EUR',
        'Kontostand;23.01.2024;;;10,00;EUR',
        '',
      ].join('\n'),
    ),
    columns: [
      'Buchungstag:date',
      'Wert:date',
      'Umsatzart:text',
      'Begünstigter:text',
      'Soll:decimal',
      'Haben:decimal',
      'Währung:text',
    ],
    rows: [
      ['2024-01-22', '2024-01-22', 'SEPA', 'Müller', '-1010.00', null, 'EUR'],
      ['2024-01-23', '2024-01-23', 'SEPA', 'B', null, '20.00', 'EUR'],
    ],
    rejected: [7],
    warning: /One row does not fit the header \(line 7\)/,
  },
  {
    name: 'statement with quoted facts above it and a delimiter at each end',
    content: encodeLatin1(
      [
        '"Kontonummer:";"DE12500105170648489890 / Girokonto";',
        '',
        '"Von:";"01.04.2024";',
        '"Kontostand vom 30.04.2024:";"1.234,56 EUR";',
        '',
        '"Buchungstag";"Begünstigter";"Kontonummer";"Betrag (EUR)";',
        '"29.04.2024";"Müller GmbH";"DE02120300000000202051";"-1.250,00";',
        '"28.04.2024";"Lohn";"0000123456";"2.500,00";',
        '',
      ].join('\r\n'),
    ),
    columns: ['Buchungstag:date', 'Begünstigter:text', 'Kontonummer:text', 'Betrag (EUR):decimal'],
    rows: [
      ['2024-04-29', 'Müller GmbH', 'DE02120300000000202051', '-1250.00'],
      ['2024-04-28', 'Lohn', '0000123456', '2500.00'],
    ],
  },
  {
    name: 'bookings with a line of facts that is wider than the table',
    content: [
      '"EXTF";700;21;"Buchungsstapel";13;20240501;;"RE";"";"";1001;1;20240101;4',
      'Umsatz;Soll/Haben;WKZ;Konto;Belegdatum;Buchungstext',
      '119,00;"S";"EUR";8400;0105;"Verkauf"',
      '50,00;"H";"EUR";8400;1205;"Storno"',
      '',
    ].join('\r\n'),
    columns: ['Umsatz:decimal', 'Soll/Haben:text', 'WKZ:text', 'Konto:integer', 'Belegdatum:text', 'Buchungstext:text'],
    rows: [
      ['119.00', 'S', 'EUR', '8400', '0105', 'Verkauf'],
      ['50.00', 'H', 'EUR', '8400', '1205', 'Storno'],
    ],
  },
  {
    name: 'a list of SAP with ruled lines',
    content:
      '---------------------\n|MATNR|LABST |MEINS|\n---------------------\n|00001|1.250 |ST|\n|00002|  10,5|KG|\n---------------------\n',
    columns: [':text', 'MATNR:text', 'LABST:decimal', 'MEINS:text'],
    rows: [
      [null, '00001', '1250', 'ST'],
      [null, '00002', '10.5', 'KG'],
    ],
  },
  {
    name: 'a table of the MySQL console',
    content: '+----+------+\n| id | name |\n+----+------+\n| 1 | Ada |\n| 2 | Bob |\n+----+------+\n',
    columns: [':text', 'id:integer', 'name:text'],
    rows: PIPED,
  },
  {
    name: 'a table of Markdown',
    content: '| id | name |\n|---:|:-----|\n| 1 | Ada |\n| 2 | Bob |\n',
    columns: [':text', 'id:integer', 'name:text'],
    rows: PIPED,
  },
  {
    name: 'a table of psql with its count',
    content: ' id | name\n----+------\n  1 | Ada\n  2 | Bob\n(2 rows)\n',
    columns: PEOPLE,
    rows: TWO_PEOPLE,
    rejected: [5],
    warning: /One row does not fit the header \(line 5\)/,
  },
  {
    name: 'pipes and a value of dashes that is no ruled line',
    content: 'id|note\n1|---x\n2|-\n',
    columns: ['id:integer', 'note:text'],
    rows: [
      ['1', '---x'],
      ['2', '-'],
    ],
  },
  {
    name: 'coordinates with a comma between them',
    content: 'name;pos\nA;52.5200, 13.4050\nB;48.1, 11.5\n',
    columns: ['name:text', 'pos:text'],
    rows: [
      ['A', '52.5200, 13.4050'],
      ['B', '48.1, 11.5'],
    ],
  },
  {
    name: 'one column in quotes with commas',
    content: 'sent\n"Mon, 01 Jan 2024 10:00:00 +0000"\n"Tue, 02 Jan 2024 10:00:00 +0000"\n',
    columns: ['sent:timestamptz'],
    rows: [['2024-01-01T10:00:00+0000'], ['2024-01-02T10:00:00+0000']],
  },
  {
    name: 'a log of a web server is not parted at its brackets',
    content:
      'request\n1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] GET /a\n1.2.3.4 - bob [10/Oct/2000:13:55:37 -0700] GET /b\n',
    columns: ['request:text'],
  },
  {
    name: 'days that are the same with the month first',
    content: 'd\n02.02.2024\n03.03.2024\n',
    columns: ['d:date'],
    rows: [['2024-02-02'], ['2024-03-03']],
    isQuiet: true,
  },
  {
    name: 'a day that is another one with the month first, before one that is not',
    content: 'd\n01.02.2024\n03.03.2024\n',
    rows: [['2024-02-01'], ['2024-03-03']],
    warning: /Dates such as 01\.02\.2024 can be read in two ways/,
  },
  {
    name: 'JSON lines of lists with names',
    content: '["id","name"]\n[1,"Ada"]\n[2,"Bob"]\n',
    fileName: 'people.jsonl',
    columns: PEOPLE,
    rows: TWO_PEOPLE,
    isQuiet: true,
  },
  {
    name: 'JSON lines of lists in a file of another name',
    content: '\ufeff["id","name"]\n[1,"Ada"]\n[2,"Bob"]\n',
    fileName: 'people.txt',
    columns: PEOPLE,
    rows: TWO_PEOPLE,
  },
  {
    name: 'JSON lines of lists without names, one of them broken',
    content: '[1,"A [] da"]\n[2,"B\n[3,"Bob"]\n{"id":4}\n[5,"Eve",[6]]\n',
    fileName: 'people.jsonl',
    columns: ['column_1:integer', 'column_2:text', 'column_3:json'],
    rows: [
      ['1', 'A [] da', null],
      ['3', 'Bob', null],
      ['5', 'Eve', '[6]'],
    ],
    rejected: [2, 4],
  },
  {
    name: 'digits, codes and amounts that keep what they are',
    content:
      'phone;iban;zip;code;rate;price;active;chf\n+491701234567;DE89370400440532013000;01067;1E5;12,5 %;12,50 €;ja;1’234.50\n+491709876543;GB29NWBK60161331926819;80331;2E3;7 %;1.000,00 €;nein;2’000.00\n',
    columns: [
      'phone:text',
      'iban:text',
      'zip:text',
      'code:text',
      'rate:text',
      'price:decimal',
      'active:text',
      'chf:decimal',
    ],
    rows: [
      ['+491701234567', 'DE89370400440532013000', '01067', '1E5', '12,5 %', '12.50', 'ja', '1234.50'],
      ['+491709876543', 'GB29NWBK60161331926819', '80331', '2E3', '7 %', '1000.00', 'nein', '2000.00'],
    ],
    warning: /12,50 € is read as 12\.50, without its currency/,
  },
  {
    name: 'digits that Excel is told to show as text',
    content: 'id,zip,n\n1,="00123",5\n2,="04567",6\n3,"=""00089""",7\n',
    columns: ['id:integer', 'zip:text', 'n:integer'],
    rows: [
      ['1', '00123', '5'],
      ['2', '04567', '6'],
      ['3', '00089', '7'],
    ],
    warning: /“zip”: ="00123" is read as the text 00123\./,
  },
  {
    name: 'some digits that Excel is told to show as text, all in quotes',
    content: '"id";"code"\n"1";"=""123"""\n"2";"456"\n"3";"=A1&""x"""\n',
    columns: ['id:integer', 'code:text'],
    rows: [
      ['1', '123'],
      ['2', '456'],
      ['3', '=A1&"x"'],
    ],
    warning: /="123" is read as the text 123/,
  },
  {
    name: 'a table of the psql console with padding',
    content:
      '  id |   name    | amount \n-----+-----------+--------\n   1 | Ada Byron |  12.50\n  20 | Bob       |   7.00\n',
    columns: ['id:integer', 'name:text', 'amount:decimal'],
    rows: [
      ['1', 'Ada Byron', '12.50'],
      ['20', 'Bob', '7.00'],
    ],
    isQuiet: true,
  },
  {
    name: 'figures of an office with notes below them',
    content:
      'Table 4. Population by region\n\nRegion,2022,2023\nNorth,"1,234","1,250 (p)"\nSouth,"2,345,678","2,400"\nNote: (p) provisional figures.\nSource: Statistics office\n',
    columns: ['Region:text', '2022:integer', '2023:text'],
    rows: [
      ['North', '1234', '1,250 (p)'],
      ['South', '2345678', '2,400'],
    ],
    rejected: [6, 7],
    warning: /2 rows do not fit the header, the first in line 6/,
  },
  {
    name: 'an export of web statistics with a second table below',
    content:
      '# ----------------\n# All Web Site Data\n# 20240101-20240131\n# ----------------\n\nPage,Sessions,Bounce Rate\n/home,"1,234",45.30%\n/about,56,60.00%\n\nDay Index,Sessions\n1/1/24,40\n1/2/24,50\n',
    columns: ['Page:text', 'Sessions:integer', 'Bounce Rate:text'],
    rows: [
      ['/home', '1234', '45.30%'],
      ['/about', '56', '60.00%'],
    ],
    rejected: [10, 11, 12],
    warning: /3 rows do not fit the header, the first in line 10/,
  },
]
