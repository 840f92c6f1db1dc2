import type { AwkwardFile } from './load-cells.ts'
import { encodeText } from './random/encode-text.ts'

const toLines = (...lines: string[]) => `${lines.join('\n')}\n`
const toCrLf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`
const encodeWindows1252 = (text: string) => encodeText(text, 'windows-1252') ?? ''
/** A single misfit among forty days stays below the misfit share. */
const DAYS = Array.from({ length: 40 }, (_, at) => `2024-01-${String(1 + (at % 28)).padStart(2, '0')}`)
const MOMENTS = Array.from({ length: 40 }, (_, at) => `2024-01-01 10:${String(at).padStart(2, '0')}:00`)

const amongDays = (name: string, value: string): AwkwardFile => ({
  name,
  content: toLines('d', ...DAYS, value),
  columns: ['d:date'],
  rows: [...DAYS, `“${value}”`].map((cell) => [cell]),
  warning: /One value of “d”, such as .*, does not fit/,
})

export const LOCALE_FILES: AwkwardFile[] = [
  {
    name: 'Excel in German: answers, amounts, shares, quotes and dashes of Windows-1252',
    content: encodeWindows1252(
      toCrLf(
        'Nr;Aktiv;Betrag;Satz;Datum;Zeit;Notiz',
        '1;WAHR;1.234,50 €;12,5%;31.12.2023;08:15;„Größe“ – ok',
        '2;FALSCH;-7,00 €;3%;01.02.2024;17:05;',
      ),
    ),
    columns: ['Nr:integer', 'Aktiv:text', 'Betrag:decimal', 'Satz:text', 'Datum:date', 'Zeit:time', 'Notiz:text'],
    rows: [
      ['1', 'WAHR', '1234.50', '12,5%', '2023-12-31', '08:15', '„Größe“ – ok'],
      ['2', 'FALSCH', '-7.00', '3%', '2024-02-01', '17:05', null],
    ],
    warning: /1\.234,50 € is read as 1234\.50, without its currency/,
  },
  {
    name: 'Excel in French: no-break spaces in amounts',
    content: encodeWindows1252(
      toCrLf('Réf;Montant;Payé;Le', 'A1;1\u00a0234,50\u00a0€;VRAI;31/12/2023', 'A2;12,00\u00a0€;FAUX;01/02/2024'),
    ),
    columns: ['Réf:text', 'Montant:decimal', 'Payé:text', 'Le:date'],
    rows: [
      ['A1', '1234.50', 'VRAI', '2023-12-31'],
      ['A2', '12.00', 'FAUX', '2024-02-01'],
    ],
  },
  {
    name: 'Excel in Switzerland: apostrophes, francs and short years',
    content: toLines('Nr;Betrag;Datum;Saldo', "1;CHF 1’234.50;31.12.23;1'000", "2;CHF -3.20;01.01.24;12'345.65"),
    columns: ['Nr:integer', 'Betrag:decimal', 'Datum:date', 'Saldo:decimal'],
    rows: [
      ['1', '1234.50', '2023-12-31', '1000'],
      ['2', '-3.20', '2024-01-01', '12345.65'],
    ],
    warning: /31\.12\.23 is read as 2023-12-31/,
  },
  {
    name: 'whole francs with a dash stay text',
    content: toLines('Nr;Betrag', '1;CHF 12.–', '2;CHF 1.50'),
    columns: ['Nr:integer', 'Betrag:text'],
    rows: [
      ['1', 'CHF 12.–'],
      ['2', 'CHF 1.50'],
    ],
  },
  {
    name: 'a Dutch bank: euros in front, a minus behind',
    content: toLines('id;bedrag;op', '1;€ 1.234,50-;31-12-2023 14:05', '2;€ 3,20;01-01-2024 09:30'),
    columns: ['id:integer', 'bedrag:decimal', 'op:timestamp'],
    rows: [
      ['1', '-1234.50', '2023-12-31T14:05:00'],
      ['2', '3.20', '2024-01-01T09:30:00'],
    ],
    warning: /€ 1\.234,50- is read as -1234\.50/,
  },
  {
    name: 'a Brazilian shop',
    content: toLines('id;valor', '1;R$ 1.234,50', '2;-R$ 3,20'),
    columns: ['id:integer', 'valor:decimal'],
    rows: [
      ['1', '1234.50'],
      ['2', '-3.20'],
    ],
  },
  {
    name: 'a Japanese shop: yen, and days with their signs',
    content: toLines('番号,金額,日付,日', '1,"¥1,234",2024/3/31,2024年3月31日', '2,¥99,2024/4/1,2024年4月1日'),
    columns: ['番号:integer', '金額:decimal', '日付:date', '日:text'],
    rows: [
      ['1', '1234', '2024-03-31', '2024年3月31日'],
      ['2', '99', '2024-04-01', '2024年4月1日'],
    ],
    warning: /¥1,234 is read as 1234/,
  },
  {
    name: 'days of Hungary and times of Finland stay text',
    content: toLines('nap;klo', '2024.03.31.;14.05.30', '2024.04.01.;09.15.00'),
    columns: ['nap:text', 'klo:text'],
    rows: [
      ['2024.03.31.', '14.05.30'],
      ['2024.04.01.', '09.15.00'],
    ],
  },
  {
    name: 'answers in four languages stay words',
    content: toLines('a,b,c,d', 'oui,sí,evet,はい', 'non,no,hayır,いいえ'),
    columns: ['a:text', 'b:text', 'c:text', 'd:text'],
    rows: [
      ['oui', 'sí', 'evet', 'はい'],
      ['non', 'no', 'hayır', 'いいえ'],
    ],
    isQuiet: true,
  },
  {
    name: 'weeks, durations, months and parts of days as ISO and Excel write them',
    content: toLines(
      'w,d,m,md,my,h',
      '2024-W05-1,PT36H,2024-05,24-Jan,Jan-24,12:00 a.m.',
      '2024-W06-7,P1DT2H,2024-06,3-Feb,Feb-24,1:05 p.m.',
    ),
    columns: ['w:text', 'd:text', 'm:text', 'md:text', 'my:text', 'h:text'],
    rows: [
      ['2024-W05-1', 'PT36H', '2024-05', '24-Jan', 'Jan-24', '12:00 a.m.'],
      ['2024-W06-7', 'P1DT2H', '2024-06', '3-Feb', 'Feb-24', '1:05 p.m.'],
    ],
    isQuiet: true,
  },
  {
    name: 'milliseconds and nanoseconds since 1970 keep every digit',
    content: toLines('ms,ns', '1706745600000,1706745600000000001', '1706745601000,1706745600000000002'),
    columns: ['ms:integer', 'ns:integer'],
    rows: [
      ['1706745600000', '1706745600000000001'],
      ['1706745601000', '1706745600000000002'],
    ],
    isQuiet: true,
  },
  {
    name: 'moments with a zone by its name',
    content: toLines(
      'a,b,c',
      '2024-01-01 10:00:00 CET,2024-01-01T10:00:00+01:00[Europe/Berlin],2024-01-31 10:00:00 GMT+1',
      '2024-07-01 10:00:00 CEST,2024-07-01T10:00:00+02:00[Europe/Berlin],2024-01-31 10:00:00 GMT+2',
    ),
    columns: ['a:text', 'b:text', 'c:text'],
    rows: [
      ['2024-01-01 10:00:00 CET', '2024-01-01T10:00:00+01:00[Europe/Berlin]', '2024-01-31 10:00:00 GMT+1'],
      ['2024-07-01 10:00:00 CEST', '2024-07-01T10:00:00+02:00[Europe/Berlin]', '2024-01-31 10:00:00 GMT+2'],
    ],
    isQuiet: true,
  },
  {
    name: 'one moment with the name of a zone, which Postgres would leave out',
    content: toLines('t', ...MOMENTS, '2024-01-01 10:00:00 CET'),
    columns: ['t:timestamp'],
    rows: [...MOMENTS.map((cell) => [cell.replace(' ', 'T')]), ['“2024-01-01 10:00:00 CET”']],
    warning: /One value of “t”, such as 2024-01-01 10:00:00 CET, does not fit/,
  },
  amongDays('a code of three parts among days, which Postgres would take for one', '10-11-12'),
  amongDays('a day of the Julian calendar among days', 'J2460000'),
  amongDays('a word that is the day of loading', 'today'),
  {
    name: 'a no-break space alone among numbers',
    content: toLines('id,n', '1,\u00a0', '2,6'),
    columns: ['id:integer', 'n:integer'],
    rows: [
      ['1', null],
      ['2', '6'],
    ],
    warning: /“n”: a value of spaces alone is read as NULL/,
  },
  {
    name: 'signs without a width stay where they are',
    content: toLines('id,t,n', '1,a\u200bb,\u200b5', '2,\ufeffc,6'),
    columns: ['id:integer', 't:text', 'n:text'],
    rows: [
      ['1', 'a\u200bb', '\u200b5'],
      ['2', '\ufeffc', '6'],
    ],
  },
]
