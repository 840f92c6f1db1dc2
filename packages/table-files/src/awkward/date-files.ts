import type { AwkwardFile } from './load-cells.ts'

const createDateFile = (
  ...[name, values, expected, more = {}]: [string, readonly string[], readonly string[], Partial<AwkwardFile>?]
): AwkwardFile => ({
  name,
  content: `id|d\n${values.map((value, at) => `${at}|${value}`).join('\n')}\n`,
  columns: ['id:integer', 'd:date'],
  rows: expected.map((value, at) => [String(at), value]),
  ...more,
})
const MOMENTS = { columns: ['id:integer', 'd:timestamp'] }
const TEXT = { columns: ['id:integer', 'd:text'] }

export const DATE_FILES: AwkwardFile[] = [
  createDateFile('dates as ISO writes them', ['2024-03-31', '2024-04-01'], ['2024-03-31', '2024-04-01'], {
    isQuiet: true,
  }),
  createDateFile('days first', ['31.03.2024', '01.04.2024'], ['2024-03-31', '2024-04-01'], { isQuiet: true }),
  createDateFile('months first', ['03/31/2024', '04/01/2024'], ['2024-03-31', '2024-04-01'], { isQuiet: true }),
  createDateFile('days or months first', ['03/04/2024', '05/06/2024'], ['2024-04-03', '2024-06-05'], {
    warning: /can be read in two ways/,
  }),
  createDateFile('days of one digit', ['3/14/2024', '12/1/2024'], ['2024-03-14', '2024-12-01']),
  createDateFile('slashes with the year first', ['2024/03/31', '2024/4/1'], ['2024-03-31', '2024-04-01']),
  createDateFile('names of months', ['19-Sep-2003', '1-Oct-2004'], ['2003-09-19', '2004-10-01'], { isQuiet: true }),
  createDateFile('names of months and years of two digits', ['19-Sep-03', '20-Oct-71'], ['2003-09-19', '1971-10-20'], {
    warning: /19-Sep-03 is read as 2003-09-19/,
  }),
  createDateFile('names of months with spaces', ['19 Sep 2003', '1 October 2004'], ['2003-09-19', '2004-10-01']),
  createDateFile('names of months first', ['Sep 19, 2003', 'October 1, 2004'], ['2003-09-19', '2004-10-01']),
  createDateFile('years of two digits', ['31/12/03', '01/02/04'], ['2003-12-31', '2004-02-01'], {
    warning: /the year has two digits; 31\/12\/03 is read as 2003-12-31/,
  }),
  createDateFile(
    'moments',
    ['2024-03-31 10:00:00', '2024-03-31T11:30:00.25'],
    ['2024-03-31T10:00:00', '2024-03-31T11:30:00.25'],
    MOMENTS,
  ),
  createDateFile(
    'moments without seconds',
    ['31.03.2024 9:05', '01.04.2024 23:59'],
    ['2024-03-31T09:05:00', '2024-04-01T23:59:00'],
    MOMENTS,
  ),
  createDateFile(
    'moments with half days',
    ['3/14/2024 2:30 PM', '3/15/2024 12:05 AM'],
    ['2024-03-14T14:30:00', '2024-03-15T00:05:00'],
    MOMENTS,
  ),
  createDateFile(
    'moments with zones',
    ['2024-03-31T10:00:00Z', '2024-03-31T10:00:00+02:00'],
    ['2024-03-31T10:00:00Z', '2024-03-31T10:00:00+02:00'],
    { columns: ['id:integer', 'd:timestamptz'] },
  ),
  createDateFile(
    'nanoseconds stay text',
    ['2024-03-31 10:00:00.123456789', '2024-03-31 10:00:00.1'],
    ['2024-03-31 10:00:00.123456789', '2024-03-31 10:00:00.1'],
    TEXT,
  ),
  createDateFile('days that never were', ['2024-02-30', '2023-02-29'], ['2024-02-30', '2023-02-29'], TEXT),
  createDateFile('codes of three parts', ['10-11-12', '20-21-22'], ['10-11-12', '20-21-22'], TEXT),
  createDateFile('numbers that could be dates', ['20240331', '20240401'], ['20240331', '20240401'], {
    columns: ['id:integer', 'd:integer'],
  }),
  createDateFile('months only', ['2024-03', '2024-04'], ['2024-03', '2024-04'], TEXT),
  createDateFile('times', ['10:00', '23:59:59'], ['10:00', '23:59:59'], { columns: ['id:integer', 'd:time'] }),
  createDateFile('hours beyond a day', ['36:00:00', '10:00:00'], ['36:00:00', '10:00:00'], TEXT),
  createDateFile(
    'days of the week in front',
    ['Mon, Jan 15, 2024', 'Tuesday, 16 January 2024'],
    ['2024-01-15', '2024-01-16'],
  ),
  createDateFile(
    'months in German',
    ['15. Januar 2024', '3. März 2024', '1-Dez-2023'],
    ['2024-01-15', '2024-03-03', '2023-12-01'],
  ),
  createDateFile(
    'months in French',
    ['15 janvier 2024', '3 août 2024', '1 févr. 2023'],
    ['2024-01-15', '2024-08-03', '2023-02-01'],
  ),
  createDateFile('months in Spanish', ['15 de enero de 2024', '3 dic 2024'], ['2024-01-15', '2024-12-03']),
  createDateFile('months in Italian', ['15 gennaio 2024', '3 luglio 2024'], ['2024-01-15', '2024-07-03']),
  createDateFile(
    'words that are no months',
    ['15 marbles 2024', '3 juice 2024'],
    ['15 marbles 2024', '3 juice 2024'],
    TEXT,
  ),
  createDateFile(
    'moments of mails',
    ['Mon, 15 Jan 2024 10:00:00 +0100', 'Tue, 16 Jan 2024 09:30:00 GMT'],
    ['2024-01-15T10:00:00+0100', '2024-01-16T09:30:00Z'],
    { columns: ['id:integer', 'd:timestamptz'] },
  ),
  createDateFile('times with half days', ['9:05 AM', '11:30 PM', '12:00 am'], ['9:05 AM', '11:30 PM', '12:00 am'], {
    columns: ['id:integer', 'd:time'],
  }),
  createDateFile('hours beyond half a day', ['13:05 PM', '1:00 AM'], ['13:05 PM', '1:00 AM'], TEXT),
  {
    name: 'an order that shows only far behind',
    content: `id|d\n${Array.from({ length: 3000 }, (_, at) => `${at}|01/02/2024`).join('\n')}\n3000|12/31/2024\n`,
    columns: ['id:integer', 'd:date'],
    isQuiet: true,
  },
  {
    name: 'words among dates',
    content: `id|d\n${Array.from({ length: 100 }, (_, at) => `${at}|2024-03-31`).join('\n')}\n100|soon\n`,
    columns: ['id:integer', 'd:date'],
    warning: /One value of “d”, such as soon, does not fit/,
  },
]
