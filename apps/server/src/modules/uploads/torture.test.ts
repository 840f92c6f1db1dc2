import { gzipSync } from 'node:zlib'
import { getDataModel, listBadRows } from '@trellis/contract/uploads/uploads.endpoints'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Dialect } from '@trellis/contract/uploads/uploads.schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'

let app: TestApp
let uploads: TestUploads

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  uploads = await testUploads(app, await makeAccount(app), { isInline: true })
})
afterAll(async () => await app.close())

type Rows = (string | null)[][]
interface Case {
  name: string
  content: string | Uint8Array | (() => Uint8Array | Promise<Uint8Array>)
  dialect?: Partial<Dialect>
  types?: Record<number, ColumnType>
  fileName?: string
  columns?: string[]
  rows?: Rows
  /** For files too large to compare. */
  count?: number
  bad?: [row: number, line: number, reason: RegExp, value?: string][]
  refused?: RegExp
}

let number = 0

async function load(about: Case) {
  number += 1
  const table = `torture_${number}`
  const content = typeof about.content === 'function' ? await about.content() : about.content
  const file = await uploads.send(about.fileName ?? 'file.csv', content)
  const read = await uploads.preProcess(file, about.dialect)
  if (read.status === 'failed') {
    expect((await uploads.file(file.file_id)).state).toBe('failed')
    return { refused: read.error ?? '' }
  }
  const params = { ...uploads.params, integration_trellis_code: uploads.code, file_id: file.file_id }
  const { data } = await uploads.client.call(getDataModel, {
    params: { ...params, schema_name: 'data', table_name: table },
  })
  const columns = data.data_model.columns.map((column, at) => ({ ...column, type: about.types?.[at] ?? column.type }))
  const change = { table_name: table, on_bad_rows: 'quarantine', data_model: { ...data.data_model, columns } }
  const updated = await uploads.update(file, change)
  expect(updated.status, updated.text).toBe(200)
  const job = await uploads.deliver(file)
  if (job.status === 'failed') return { refused: job.error ?? '' }
  expect(job.status).toBe('completed')
  const count = Number((await uploads.sql(`select count(*) from data.${table}`)).rows[0]?.[0])
  const rows = about.rows ? (await uploads.sql(`select * from data.${table}`)).rows : undefined
  const badResponse = await uploads.client.call(listBadRows, { params })
  const { validation } = await uploads.file(file.file_id)
  expect(validation?.good_rows).toBe(count)
  expect(validation?.rows, 'file rows = loaded + bad').toBe(count + badResponse.data.items.length)
  expect(read.progress.rows).toBe(validation?.rows)
  return { columns: columns.map(({ name, type }) => `${name}:${type}`), rows, count, bad: badResponse.data.items }
}

function utf16(text: string, isBig: boolean): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

async function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const file = new ZipFile()
  for (const [name, content] of Object.entries(files)) file.addBuffer(Buffer.from(content), name)
  file.end()
  const chunks: Buffer[] = []
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Few rows in many bytes, to test decompression limits. */
const LONG_ROW = `${'a'.repeat(1000)},b\n`

const sheet =
  (rows: string, extra: Record<string, string> = {}) =>
  () =>
    zip({
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ...extra,
    })

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const two = [
  ['1', 'ä'],
  ['2', 'ö'],
]

const CASES: Case[] = [
  {
    name: 'quotes behind a backslash',
    content: 'id,said\n1,"say \\"hi\\", you"\n2,"a \\\\ b"\n3,"two\\"\nlines"\n4,"both "" kinds"\n5,plain \\" text\n',
    columns: ['id:integer', 'said:text'],
    rows: [
      ['1', 'say "hi", you'],
      ['2', 'a \\ b'],
      ['3', 'two"\nlines'],
      ['4', 'both " kinds'],
      ['5', 'plain \\" text'],
    ],
  },
  {
    name: 'paths that end in a backslash',
    content: 'id,path\n1,"C:\\temp\\"\n2,"C:\\new ""x""\\"\n',
    rows: [
      ['1', 'C:\\temp\\'],
      ['2', 'C:\\new "x"\\'],
    ],
  },
  {
    name: 'plain',
    content: 'a,b\n1,x\n2,y\n',
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  },
  {
    name: 'UTF-8 with a mark',
    content: Buffer.concat([BOM, Buffer.from('id,n\n1,ä\n2,ö\n')]),
    columns: ['id:integer', 'n:text'],
    rows: two,
  },
  {
    name: 'UTF-16 little end first',
    content: utf16('id,n\n1,ä\n2,ö\n', false),
    columns: ['id:integer', 'n:text'],
    rows: two,
  },
  { name: 'UTF-16 big end first', content: utf16('id,n\n1,ä\n2,ö\n', true), rows: two },
  { name: 'UTF-16 without a mark', content: utf16('id,n\n1,ä\n2,ö\n', false).subarray(2), rows: two },
  { name: 'Latin-1', content: Buffer.from('id,n\n1,ä\n2,ö\n', 'latin1'), rows: two },
  { name: 'Windows-1252', content: Buffer.from([...Buffer.from('id,price\n1,5 '), 0x80, 0x0a]), rows: [['1', '5 €']] },
  {
    name: 'Latin-1 far behind the sample',
    content: Buffer.concat([
      Buffer.from(`id,n\n${'1,plain text here\n'.repeat(20_000)}`),
      Buffer.from('2,\xe4\n', 'latin1'),
    ]),
    count: 20_001,
  },
  {
    name: 'Shift-JIS by choice',
    content: Buffer.from([0x61, 0x0a, 0x93, 0xfa, 0x96, 0x7b, 0x0a]),
    dialect: { encoding: 'shift_jis', has_header: true },
    rows: [['日本']],
  },
  {
    name: 'GB18030 by choice',
    content: Buffer.from([0x61, 0x0a, 0xd6, 0xd0, 0x0a]),
    dialect: { encoding: 'gb18030', has_header: true },
    rows: [['中']],
  },
  {
    name: 'bytes that are no Shift-JIS',
    content: Buffer.from([0x61, 0x0a, 0x41, 0x0a, 0xfd, 0xff, 0x0a]),
    dialect: { encoding: 'shift_jis' },
    refused: /shift_jis.*line/,
  },
  {
    name: 'invalid UTF-8 that was asked for',
    content: Buffer.from('id,n\n1,a\n2,\xe4\n3,c\n', 'latin1'),
    dialect: { encoding: 'utf-8' },
    rows: [
      ['1', 'a'],
      ['3', 'c'],
    ],
    bad: [[2, 3, /not text in UTF-8/]],
  },
  {
    name: 'a zero byte',
    content: 'id,n\n1,a\n2,b\0c\n3,d\n',
    rows: [
      ['1', 'a'],
      ['3', 'd'],
    ],
    bad: [[2, 3, /zero byte/]],
  },
  {
    name: 'a zero byte in the header',
    content: 'id,n\0m\n1,a\n',
    columns: ['id:integer', 'n_m:text'],
    rows: [['1', 'a']],
  },
  { name: 'a line of \\.', content: 'n\nx\n\\.\ny\n', rows: [['x'], ['\\.'], ['y']] },
  {
    name: 'a line of \\. between wider rows',
    content: 'a,b\n1,x\n\\.\n2,y\n',
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
    bad: [[2, 3, /1 value where 2/]],
  },
  {
    name: 'short and long rows',
    content: 'a,b,c\n1,2,3\n1,2\n1,2,3,4\n4,5,6\n',
    rows: [
      ['1', '2', '3'],
      ['1', '2', null],
      ['4', '5', '6'],
    ],
    bad: [[3, 4, /4 values where 3/]],
  },
  {
    name: 'CRLF, LF and CR mixed',
    content: 'a,b\r\n1,x\n2,y\r3,z\r\n4,w',
    rows: [
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'z'],
      ['4', 'w'],
    ],
  },
  {
    name: 'line ends inside quotes',
    content: 'a,b\r\n1,"x\ny"\r\n2,"p\r\nq"\r\n3,"r\rs"\r\n',
    rows: [
      ['1', 'x\ny'],
      ['2', 'p\r\nq'],
      ['3', 'r\rs'],
    ],
  },
  {
    name: 'CR only',
    content: 'a,b\r1,x\r2,y\r',
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  },
  {
    name: 'a quote that never closes',
    content: `a,b\n1,x\n2,"open\n3,y\n`,
    rows: [
      ['1', 'x'],
      ['2', '"open'],
      ['3', 'y'],
    ],
  },
  {
    name: 'a quote that never closes in a long file',
    content: () => Buffer.from(`a,b\n1,x\n2,"${'open line\n'.repeat(1_800_000)}`),
    refused: /opens in line 3/,
  },
  {
    name: 'doubled quotes, commas and lines in quotes',
    content: 'a,b\n1,"say ""hi"", then\ngo"\n',
    rows: [['1', 'say "hi", then\ngo']],
  },
  {
    name: 'quotes in the middle',
    content: 'a,b\n1,5" pipe\n2,x"y"z\n3,"q"r\n',
    rows: [
      ['1', '5" pipe'],
      ['2', 'x"y"z'],
      ['3', 'qr'],
    ],
  },
  {
    name: 'empty text is not nothing',
    content: 'a,b\n1,""\n2,\n',
    rows: [
      ['1', ''],
      ['2', null],
    ],
  },
  {
    name: 'all quoted, with gaps in numbers',
    content: '"a","b"\n"1","x"\n"","y"\n',
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', 'x'],
      [null, 'y'],
    ],
  },
  {
    name: 'double, empty and blank headers',
    content: 'x,x,, ,X\n1,2,3,4,5\n',
    columns: ['x:integer', 'x_2:integer', 'column_3:integer', 'column_4:integer', 'X_3:integer'],
    rows: [['1', '2', '3', '4', '5']],
  },
  { name: 'a header of 200 bytes', content: `${'h'.repeat(200)},${'h'.repeat(199)}x\n1,2\n`, rows: [['1', '2']] },
  {
    name: 'headers with quotes, reserved words and emoji',
    content: '"se""lect",select,🙂,ctid\n1,2,3,4\n',
    columns: ['se_lect:integer', 'select:integer', 'column_3:integer', 'ctid_:integer'],
    rows: [['1', '2', '3', '4']],
  },
  {
    name: '1,600 columns of which few are filled',
    content: `${Array.from({ length: 1600 }, (_, at) => `c${at}`).join(',')}\n1,2${','.repeat(1597)},9\n`,
    count: 1,
  },
  {
    name: 'a row of 1,600 numbers, which fits on no page of Postgres',
    content: `${Array.from({ length: 1600 }, (_, at) => `c${at}`).join(',')}\n${Array.from({ length: 1600 }, (_, at) => at).join(',')}\n`,
    refused: /too wide for a table/,
  },
  {
    name: '2,000 columns',
    content: `${Array.from({ length: 2000 }, (_, at) => `c${at}`).join(',')}\n${'1,'.repeat(1999)}1\n`,
    refused: /2000 columns.*at most 1600/,
  },
  { name: 'a value of 16 MB', content: () => Buffer.from(`a,b\n1,${'x'.repeat(16 * 1024 * 1024)}\n2,y\n`), count: 2 },
  {
    name: 'a value of more than 16 MB',
    content: () => Buffer.from(`a,b\n1,${'x'.repeat(16 * 1024 * 1024 + 1)}\n2,y\n`),
    rows: [['2', 'y']],
    bad: [[1, 2, /longer than 16 MB/]],
  },
  { name: 'a header only', content: 'a,b\n', columns: ['a:text', 'b:text'], rows: [] },
  { name: 'spaces only', content: '   \n  \n', count: 2 },
  { name: 'a mark only', content: BOM, refused: /no rows and no header/ },
  { name: 'one row without a line end', content: 'a,b\n1,x', rows: [['1', 'x']] },
  {
    name: 'empty lines',
    content: 'a,b\n\n1,x\n\n\n2,y\n\n',
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  },
  { name: 'an empty line in a file of one column', content: 'a\nx\n\ny\n', rows: [['x'], [null], ['y']] },
  {
    name: 'titles above the table',
    content: 'Report of May\n\nid,name\n1,x\n2,y\n',
    columns: ['id:integer', 'name:text'],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  },
  {
    name: 'no header',
    content: '1,x\n2,y\n',
    columns: ['column_1:integer', 'column_2:text'],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  },
  {
    name: 'semicolons and decimal commas',
    content: 'id;price;n\n1;1.234,50;a\n2;0,99;b\n',
    columns: ['id:integer', 'price:decimal', 'n:text'],
    rows: [
      ['1', '1234.50', 'a'],
      ['2', '0.99', 'b'],
    ],
  },
  { name: 'tabs', content: 'id\tn\n1\tx,y\n', rows: [['1', 'x,y']] },
  {
    name: 'bars and single quotes',
    content: "id|n\n1|'a|b'\n2|'c'\n3|'d'\n",
    rows: [
      ['1', 'a|b'],
      ['2', 'c'],
      ['3', 'd'],
    ],
  },
  {
    name: 'digits in groups',
    content: 'id,n\n1,"1,234.50"\n2,7\n',
    columns: ['id:integer', 'n:decimal'],
    rows: [
      ['1', '1234.50'],
      ['2', '7'],
    ],
  },
  {
    name: 'zeros in front, long numbers, phone numbers',
    content: 'zip,big,phone,huge\n007,9223372036854775807,+4930123,12345678901234567890\n010,1,+1,1\n',
    columns: ['zip:text', 'big:integer', 'phone:text', 'huge:decimal'],
    rows: [
      ['007', '9223372036854775807', '+4930123', '12345678901234567890'],
      ['010', '1', '+1', '1'],
    ],
  },
  {
    name: '2^53 + 1 and forty digits',
    content: 'a,b\n9007199254740993,0.1234567890123456789012345678901234567891\n',
    columns: ['a:integer', 'b:decimal'],
    rows: [['9007199254740993', '0.1234567890123456789012345678901234567891']],
  },
  {
    name: 'leap days',
    content: 'd\n2024-02-29\n2023-02-28\n',
    columns: ['d:date'],
    rows: [['2024-02-29'], ['2023-02-28']],
  },
  {
    name: 'a leap day that is none',
    content: 'd,n\n2023-02-29,x\n2023-02-28,y\n',
    columns: ['d:date', 'n:text'],
    types: { 0: 'date' },
    rows: [['2023-02-28', 'y']],
    bad: [[1, 2, /^Not a date in the order year-month-day\.$/, '2023-02-29']],
  },
  {
    name: 'one day that is none among many',
    content: `d;n\n${'28.03.2024;x\n'.repeat(150)}30.02.2024;y\n`,
    columns: ['d:date', 'n:text'],
    count: 150,
    bad: [[151, 152, /^Not a date in the order day-month-year\.$/, '30.02.2024']],
  },
  {
    name: 'day first',
    content: 'd,n\n13.02.2024,1\n01.03.2024,2\n',
    columns: ['d:date', 'n:integer'],
    rows: [
      ['2024-02-13', '1'],
      ['2024-03-01', '2'],
    ],
  },
  {
    name: 'month first',
    content: 'd,n\n02/13/2024,1\n03/01/2024,2\n',
    columns: ['d:date', 'n:integer'],
    rows: [
      ['2024-02-13', '1'],
      ['2024-03-01', '2'],
    ],
  },
  {
    name: 'moments with a zone',
    content: 'd\n2024-02-29T12:30:00+02:00\n2024-02-29T12:30:00Z\n',
    columns: ['d:timestamptz'],
    rows: [['2024-02-29 10:30:00+00'], ['2024-02-29 12:30:00+00']],
  },
  {
    name: 'years of two digits are dates; year 0 and 1e5 stay text',
    content: 'a,b,c\n12/11/10,0000-01-01,1e5\n',
    columns: ['a:date', 'b:text', 'c:text'],
    rows: [['2010-11-12', '0000-01-01', '1e5']],
  },
  {
    name: 'words of the clock',
    content: 'd,n\ntoday,1\n2024-01-01,2\n',
    types: { 0: 'date' },
    columns: ['d:date', 'n:integer'],
    rows: [['2024-01-01', '2']],
    bad: [[1, 2, /"today" is not a date/]],
  },
  {
    name: 'words for nothing',
    content: 'a,b\n1,NULL\nNULL,x\n\\N,y\n',
    columns: ['a:integer', 'b:text'],
    rows: [
      ['1', 'NULL'],
      [null, 'x'],
      [null, 'y'],
    ],
  },
  { name: 'yes and no', content: 'a\nyes\nNO\n', columns: ['a:boolean'], rows: [['t'], ['f']] },
  { name: 'formulas stay as they are', content: 'a\n=1+1\n@SUM(A1)\n', rows: [['=1+1'], ['@SUM(A1)']] },
  {
    name: 'values that do not fit',
    content: 'id,n\n1,x\ntwo,y\n3,"z\nz"\nfour,w\n',
    types: { 0: 'integer' },
    columns: ['id:integer', 'n:text'],
    rows: [
      ['1', 'x'],
      ['3', 'z\nz'],
    ],
    bad: [
      [2, 3, /^Not a whole number\.$/, 'two'],
      [4, 6, /^Not a whole number\.$/, 'four'],
    ],
  },
  { name: 'gzip', content: gzipSync('a,b\n1,x\n'), fileName: 'a.csv.gz', rows: [['1', 'x']] },
  { name: 'a damaged gzip', content: gzipSync('a,b\n1,x\n'.repeat(1000)).subarray(0, 40), refused: /damaged/ },
  {
    name: 'a gzip bomb',
    content: () => gzipSync(Buffer.alloc(200 * 1024 * 1024, LONG_ROW)),
    refused: /far more than its size/,
  },
  { name: 'zip', content: () => zip({ 'a.csv': 'a,b\n1,x\n' }), rows: [['1', 'x']] },
  { name: 'zip with two files', content: () => zip({ 'a.csv': 'a\n', 'b.csv': 'b\n' }), refused: /holds 2 files/ },
  {
    name: 'zip with a way out',
    content: async () =>
      Buffer.from(
        (await zip({ 'aaaaaaaa.csv': 'a,b\n1,x\n' }))
          .toString('latin1')
          .replaceAll('aaaaaaaa.csv', '../../../x.csv'.slice(0, 12)),
        'latin1',
      ),
    refused: /damaged/,
  },
  {
    name: 'a zip bomb',
    content: () => zip({ 'a.csv': Buffer.alloc(200 * 1024 * 1024, LONG_ROW) }),
    refused: /far more than its size/,
  },
  {
    name: 'JSON lines',
    fileName: 'a.jsonl',
    content: '{"a":1,"b":"x","c":{"d":[1,2]}}\n{"a":12345678901234567890,"b":null}\n',
    columns: ['a:decimal', 'b:text', 'c:json'],
    rows: [
      ['1', 'x', '{"d": [1, 2]}'],
      ['12345678901234567890', null, null],
    ],
  },
  {
    name: 'JSON lines with a broken one',
    fileName: 'a.jsonl',
    content: '{"a":1}\n{"a":\n{"a":3}\n',
    rows: [['1'], ['3']],
    bad: [[2, 2, /not valid JSON/]],
  },
  {
    name: 'a workbook with formulas, dates and gaps',
    fileName: 'a.xlsx',
    content: sheet(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>n</t></is></c><c r="B1" t="inlineStr"><is><t>sum</t></is></c><c r="C1" t="inlineStr"><is><t>day</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>x</t></is></c><c r="B2"><f>1+1.5</f><v>2.5</v></c><c r="C2" s="1"><v>45351</v></c></row><row r="4"><c r="B4"><v>0.10000000000000001</v></c></row>',
      { 'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>' },
    ),
    columns: ['n:text', 'sum:decimal', 'day:date'],
    rows: [
      ['x', '2.5', '2024-02-29'],
      [null, '0.1', null],
    ],
  },
  {
    name: 'an old workbook',
    content: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
    refused: /old kind/,
  },
  {
    name: 'a picture',
    content: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(4000)]),
    refused: /not a table/,
  },
]

describe.each(CASES.map((about) => [about.name, about] as const))('%s', (_, about) => {
  test('loads exactly or is refused', { timeout: 120_000 }, async () => {
    const found = await load(about)
    if (about.refused) return expect(found.refused).toMatch(about.refused)
    expect(found.refused).toBeUndefined()
    if (about.columns) expect(found.columns).toEqual(about.columns)
    if (about.rows) expect(found.rows).toEqual(about.rows)
    if (about.count !== undefined) expect(found.count).toBe(about.count)
    const bad = found.bad?.map(({ row, line }) => [row, line])
    expect(bad).toEqual((about.bad ?? []).map(([row, line]) => [row, line]))
    for (const [at, [, , reason, value]] of (about.bad ?? []).entries()) {
      expect(found.bad?.[at]?.reason).toMatch(reason)
      if (value !== undefined) expect(found.bad?.[at]?.value).toBe(value)
    }
  })
})
