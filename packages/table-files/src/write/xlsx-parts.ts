const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const each = (sheets: number, make: (sheet: number) => string) =>
  Array.from({ length: sheets }, (_, at) => make(at + 1)).join('')

export const renderWorkbook = (sheets: number) =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each(
    sheets,
    (n) => `<sheet name="Rows${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`,
  )}</sheets></workbook>`

export const workbookRelations = (sheets: number) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each(
    sheets,
    (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`

export const ROOT_RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

export const CONTENT_TYPES = (sheets: number) =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${each(
    sheets,
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  )}<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`

export const MOMENT_STYLES = { date: 1, time: 2, timestamp: 3, timestamptz: 3 } as const

const FORMATS = ['yyyy\\-mm\\-dd', 'hh:mm:ss', 'yyyy\\-mm\\-dd\\ hh:mm:ss']
const FIRST_OWN_FORMAT = 164

export const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.length}">${FORMATS.map(
  (code, at) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + at}" formatCode="${code}"/>`,
).join(
  '',
)}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${FORMATS.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${FORMATS.map(
  (_, at) =>
    `<xf numFmtId="${FIRST_OWN_FORMAT + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
).join('')}</cellXfs></styleSheet>`

const DAY_MS = 86_400_000
const DAYS_BEFORE_1970 = 25_569
/** Earlier dates differ between spreadsheet programs. */
const FIRST_DAY = 61
const MOMENT = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?:^| )(\d\d):(\d\d):(\d\d(?:\.\d{1,6})?))?(?:\+00)?$/

export function toSerialDate(text: string): number | undefined {
  const [found, year, month, day, hour = '0', minute = '0', second = '0'] = MOMENT.exec(text) ?? []
  if (!found) return undefined
  const part = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) / 86_400
  if (year === undefined) return part < 1 ? part : undefined
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS + DAYS_BEFORE_1970
  return Number(year) < 1900 || days < FIRST_DAY ? undefined : days + part
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
// Escapes characters XML cannot contain, and text that looks like such an escape.
const UNFIT = /[&<>\r]|(?![\t\n])\p{Cc}|[\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu

export function escapeXml(text: string): string {
  return text.replaceAll(
    UNFIT,
    (found) => NAMED[found] ?? `_x${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}
