import type { AwkwardFile } from './load-cells.ts'

const toLines = (...lines: string[]) => `${lines.join('\n')}\n`
const toCrLf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`
const encodeLatin1 = (text: string) => Buffer.from(text, 'latin1')
const encodeUtf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

export const ANALYST_FILES: AwkwardFile[] = [
  {
    name: 'a bank: title lines, Latin-1, decimal comma, days with points',
    content: encodeLatin1(
      toCrLf(
        'Kontoinhaber;Müller GmbH;;',
        'Zeitraum;01.01.2024 - 31.01.2024;;',
        '',
        'Buchungstag;Verwendungszweck;Betrag;Währung',
        '31.01.2024;"Miete Büro; Januar";-1.250,00;EUR',
        '15.01.2024;Gutschrift Übertrag;99,90;EUR',
      ),
    ),
    columns: ['Buchungstag:date', 'Verwendungszweck:text', 'Betrag:decimal', 'Währung:text'],
    rows: [
      ['2024-01-31', 'Miete Büro; Januar', '-1250.00', 'EUR'],
      ['2024-01-15', 'Gutschrift Übertrag', '99.90', 'EUR'],
    ],
  },
  {
    name: 'a bank: debit and credit in columns of their own, empty where there is none',
    content: toLines('Date,Payee,Debit,Credit', '2024-02-01,Grocer,12.40,', '2024-02-02,Employer,,2500.00'),
    columns: ['Date:date', 'Payee:text', 'Debit:decimal', 'Credit:decimal'],
    rows: [
      ['2024-02-01', 'Grocer', '12.40', null],
      ['2024-02-02', 'Employer', null, '2500.00'],
    ],
  },
  {
    name: 'account numbers with zeros in front and IBANs',
    content: toLines('account;iban;n', '0012345;DE02120300000000202051;1', '0099999;DE02500105170137075030;2'),
    columns: ['account:text', 'iban:text', 'n:integer'],
    rows: [
      ['0012345', 'DE02120300000000202051', '1'],
      ['0099999', 'DE02500105170137075030', '2'],
    ],
  },
  {
    name: 'card numbers of sixteen digits keep every digit',
    content: toLines('card,n', '4111111111111111,1', '5500005555555559,2'),
    columns: ['card:integer', 'n:integer'],
    rows: [
      ['4111111111111111', '1'],
      ['5500005555555559', '2'],
    ],
  },
  {
    name: 'PayPal: quotes around everything and a time zone in a column of its own',
    content: toLines(
      '"Date","Time","TimeZone","Gross"',
      '"31/01/2024","23:59:01","CET","1,024.50"',
      '"30/01/2024","08:00:00","CET","-4.00"',
    ),
    columns: ['Date:date', 'Time:time', 'TimeZone:text', 'Gross:decimal'],
    rows: [
      ['2024-01-31', '23:59:01', 'CET', '1024.50'],
      ['2024-01-30', '08:00:00', 'CET', '-4.00'],
    ],
  },
  {
    name: 'SAP: bars, a minus behind, zeros in front of material numbers',
    content: toLines('MATNR|WERKS|WERT', '000000000000004711|0001|1.250,00-', '000000000000004712|0002|3,50'),
    columns: ['MATNR:text', 'WERKS:text', 'WERT:decimal'],
    rows: [
      ['000000000000004711', '0001', '-1250.00'],
      ['000000000000004712', '0002', '3.50'],
    ],
    warning: /1\.250,00- is read as -1250\.00/,
  },
  {
    name: 'dates as eight digits stay numbers, and no day is made up',
    content: toLines('BUDAT;N', '20240131;1', '20240201;2'),
    columns: ['BUDAT:integer', 'N:integer'],
    rows: [
      ['20240131', '1'],
      ['20240201', '2'],
    ],
  },
  {
    name: 'an ERP export in UTF-16 with tabs',
    content: encodeUtf16(toCrLf('Artikel\tBezeichnung\tPreis', '10\tGröße „M“\t12,90', '20\tÖl\t7,50')),
    columns: ['Artikel:integer', 'Bezeichnung:text', 'Preis:decimal'],
    rows: [
      ['10', 'Größe „M“', '12.90'],
      ['20', 'Öl', '7.50'],
    ],
  },
  {
    name: 'DATEV: days without a year stay text',
    content: toLines('Umsatz;Konto;Belegdatum', '119,00;8400;3101', '59,50;8400;0102'),
    columns: ['Umsatz:decimal', 'Konto:integer', 'Belegdatum:text'],
    rows: [
      ['119.00', '8400', '3101'],
      ['59.50', '8400', '0102'],
    ],
  },
  {
    name: 'a survey: questions as headers, with commas, line ends and marks inside',
    content: toLines(
      'Timestamp,"How satisfied are you?\n(1 = not, 5 = very)","What, if anything, should change?"',
      '2024/03/01 9:15:02 AM GMT+1,4,"More ""quiet"" rooms,\nless noise"',
      '2024/03/02 10:00:00 PM GMT+1,5,',
    ),
    columns: [
      'Timestamp:text',
      'How satisfied are you?\n(1 = not, 5 = very):integer',
      'What, if anything, should change?:text',
    ],
    rows: [
      ['2024/03/01 9:15:02 AM GMT+1', '4', 'More "quiet" rooms,\nless noise'],
      ['2024/03/02 10:00:00 PM GMT+1', '5', null],
    ],
  },
  {
    name: 'several answers in one cell, and an answer of no words, which is not no answer',
    content: toLines('id,channels', '1,"email;phone"', '2,"email"', '3,""'),
    columns: ['id:integer', 'channels:text'],
    rows: [
      ['1', 'email;phone'],
      ['2', 'email'],
      ['3', ''],
    ],
  },
  {
    name: 'answers on a scale with words at its ends',
    content: toLines('id,q1', '1,5 - very good', '2,1 - bad', '3,3'),
    columns: ['id:integer', 'q1:text'],
    rows: [
      ['1', '5 - very good'],
      ['2', '1 - bad'],
      ['3', '3'],
    ],
  },
  {
    name: 'yes and no in two languages',
    content: toLines('id;newsletter;aktiv', '1;yes;ja', '2;no;nein'),
    columns: ['id:integer', 'newsletter:boolean', 'aktiv:text'],
    rows: [
      ['1', 'yes', 'ja'],
      ['2', 'no', 'nein'],
    ],
    warning: /“newsletter”: yes is read as true/,
  },
  {
    name: 'web statistics: lines with marks in front, then the table',
    content: toLines(
      '# ----------------------------------------',
      '# All Web Site Data',
      '# 20240101-20240131',
      '# ----------------------------------------',
      '',
      'Page,Sessions,Bounce Rate',
      '/home,"1,204",45.31%',
      '/about,87,50.00%',
    ),
    columns: ['Page:text', 'Sessions:integer', 'Bounce Rate:text'],
    rows: [
      ['/home', '1204', '45.31%'],
      ['/about', '87', '50.00%'],
    ],
  },
  {
    name: 'addresses with question marks, marks and commas',
    content: toLines('url,hits', '"https://example.test/?a=1,2&b=%20#x",3', 'https://example.test/ü,4'),
    columns: ['url:text', 'hits:integer'],
    rows: [
      ['https://example.test/?a=1,2&b=%20#x', '3'],
      ['https://example.test/ü', '4'],
    ],
  },
  {
    name: 'a log of requests with times in seconds since 1970',
    content: toLines('ts,status,ms', '1706745600,200,12.5', '1706745601.250,404,3'),
    columns: ['ts:decimal', 'status:integer', 'ms:decimal'],
    rows: [
      ['1706745600', '200', '12.5'],
      ['1706745601.250', '404', '3'],
    ],
  },
  {
    name: 'versions are no numbers',
    content: toLines('app,version', 'a,1.10', 'b,1.9.2', 'c,2.0'),
    columns: ['app:text', 'version:text'],
    rows: [
      ['a', '1.10'],
      ['b', '1.9.2'],
      ['c', '2.0'],
    ],
  },
  {
    name: 'a sensor: units in a row below the header stay rows of text',
    content: toLines('time,temp', 's,°C', '0.0,21.5', '0.5,21.6'),
    columns: ['time:text', 'temp:text'],
    rows: [
      ['s', '°C'],
      ['0.0', '21.5'],
      ['0.5', '21.6'],
    ],
  },
  {
    name: 'a sensor: moments with milliseconds and a zone',
    content: toLines('at,celsius', '2024-06-01T12:00:00.250+02:00,21.50', '2024-06-01T12:00:00.500+02:00,-3.25'),
    columns: ['at:timestamptz', 'celsius:decimal'],
    rows: [
      ['2024-06-01T12:00:00.250+02:00', '21.50'],
      ['2024-06-01T12:00:00.500+02:00', '-3.25'],
    ],
  },
  {
    name: 'a sensor: NaN and infinite readings',
    content: toLines('n,v', '1,0.5', '2,NaN', '3,1.5e-3'),
    columns: ['n:integer', 'v:float'],
    rows: [
      ['1', '0.5'],
      ['2', 'NaN'],
      ['3', '1.5e-3'],
    ],
  },
  {
    name: 'positions with a sign of the degree',
    content: toLines('place,lat,lon', 'A,52.5200,13.4050', 'B,-33.8688,151.2093'),
    columns: ['place:text', 'lat:decimal', 'lon:decimal'],
    rows: [
      ['A', '52.5200', '13.4050'],
      ['B', '-33.8688', '151.2093'],
    ],
  },
  {
    name: 'amounts with a unit behind stay text',
    content: toLines('part;weight', 'a;12 kg', 'b;7,5 kg'),
    columns: ['part:text', 'weight:text'],
    rows: [
      ['a', '12 kg'],
      ['b', '7,5 kg'],
    ],
  },
  {
    name: 'durations beyond a day are no times and stay text',
    content: toLines('task,spent', 'a,36:15:00', 'b,01:30:00'),
    columns: ['task:text', 'spent:text'],
    rows: [
      ['a', '36:15:00'],
      ['b', '01:30:00'],
    ],
  },
  {
    name: 'quarters and weeks stay text',
    content: toLines('q,w,n', '2024-Q1,2024-W05,1', '2024-Q2,2024-W18,2'),
    columns: ['q:text', 'w:text', 'n:integer'],
    rows: [
      ['2024-Q1', '2024-W05', '1'],
      ['2024-Q2', '2024-W18', '2'],
    ],
  },
  {
    name: 'months as headers of a wide table',
    content: toLines('product;Jan 24;Feb 24;Mrz 24', 'A;1,5;2,5;', 'B;0,5;;3,5'),
    columns: ['product:text', 'Jan 24:decimal', 'Feb 24:decimal', 'Mrz 24:decimal'],
    rows: [
      ['A', '1.5', '2.5', null],
      ['B', '0.5', null, '3.5'],
    ],
  },
  {
    name: 'years as headers of a wide table',
    content: toLines('country,2021,2022,2023', 'DE,10,11,12', 'FR,20,21,22'),
    columns: ['country:text', '2021:integer', '2022:integer', '2023:integer'],
    rows: [
      ['DE', '10', '11', '12'],
      ['FR', '20', '21', '22'],
    ],
  },
  {
    name: 'the same header twice and one without a name',
    content: toLines('id,amount,amount,', '1,5,6,x', '2,7,8,y'),
    rows: [
      ['1', '5', '6', 'x'],
      ['2', '7', '8', 'y'],
    ],
  },
  {
    name: 'mixed: mostly numbers, some words',
    content: toLines('id,score', '1,10', '2,absent', '3,12', '4,9', '5,excused'),
    columns: ['id:integer', 'score:text'],
    rows: [
      ['1', '10'],
      ['2', 'absent'],
      ['3', '12'],
      ['4', '9'],
      ['5', 'excused'],
    ],
  },
  {
    name: 'JSON in a column, with quotes doubled',
    content: toLines('id,payload', '1,"{""a"": 1, ""b"": [1, 2]}"', '2,"{""a"": 10000000000000001}"'),
    columns: ['id:integer', 'payload:json'],
    rows: [
      ['1', '{"a": 1, "b": [1, 2]}'],
      ['2', '{"a": 10000000000000001}'],
    ],
  },
  {
    name: 'telephone numbers in three ways of writing',
    content: toLines('name,phone', 'A,+49 30 123456', 'B,030 123456', 'C,(212) 555-0100'),
    columns: ['name:text', 'phone:text'],
    rows: [
      ['A', '+49 30 123456'],
      ['B', '030 123456'],
      ['C', '(212) 555-0100'],
    ],
  },
  {
    name: 'signs of many scripts',
    content: toLines('id,t', '1,naïve café', '2,東京', '3,👩‍💻 ok', '4,Ελλάδα'),
    columns: ['id:integer', 't:text'],
    rows: [
      ['1', 'naïve café'],
      ['2', '東京'],
      ['3', '👩‍💻 ok'],
      ['4', 'Ελλάδα'],
    ],
  },
  {
    name: 'spaces around values and names',
    content: toLines('id , city', '1 , Kiel', '2 , Ulm'),
    rows: [
      ['1', ' Kiel'],
      ['2', ' Ulm'],
    ],
  },
]
