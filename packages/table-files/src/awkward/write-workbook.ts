import { ZipFile } from 'yazl'

export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly error: string }
  | { readonly formula: string; readonly result?: number }
  | { readonly n: number | string; readonly style: number }
  | { readonly xml: string }

const NUMBER_FORMATS = ['yyyy-mm-dd', '[h]:mm:ss', 'h:mm', 'dd/mm/yyyy hh:mm', '0.00', '#,##0 "days"', '00000', '0.0%']
export const STYLE = { date: 1, hours: 2, clock: 3, moment: 4, two: 5, days: 6, zip: 7, percent: 8 } as const

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function cellXml(cell: Cell): string {
  if (cell === null) return '<c/>'
  if (typeof cell === 'string') return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c t="b"><v>${cell ? 1 : 0}</v></c>`
  if ('xml' in cell) return cell.xml
  if ('formula' in cell) return `<c><f>${escapeXml(cell.formula)}</f><v>${cell.result ?? ''}</v></c>`
  return 'error' in cell ? `<c t="e"><v>${cell.error}</v></c>` : `<c s="${cell.style}"><v>${cell.n}</v></c>`
}

interface SheetLook {
  readonly merged?: readonly string[]
  readonly hiddenRows?: readonly number[]
  readonly hiddenSheets?: readonly string[]
  /** The 1904 date system of old Macs. */
  readonly is1904?: boolean
  /** Additional number formats; their styles follow STYLE. */
  readonly formats?: readonly string[]
  readonly sharedTexts?: string
  readonly relation?: string
}

export const OWN_STYLE = NUMBER_FORMATS.length + 1

export async function writeWorkbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  look: SheetLook = {},
): Promise<Buffer> {
  const { merged = [], hiddenRows = [], hiddenSheets = [], is1904 = false, relation = 'r:id' } = look
  const codes = [...NUMBER_FORMATS, ...(look.formats ?? [])]
  const zip = new ZipFile()
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path)
  const names = Object.keys(sheets)
  add('[Content_Types].xml', '<Types/>')
  add(
    'xl/workbook.xml',
    `<workbook xmlns:r="r">${is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${names.map((name, at) => `<sheet name="${escapeXml(name)}"${hiddenSheets.includes(name) ? ' state="hidden"' : ''} sheetId="${at + 1}" ${relation}="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${names.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
  )
  const formats = codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code)}"/>`).join('')
  if (look.sharedTexts !== undefined) add('xl/sharedStrings.xml', `<sst>${look.sharedTexts}</sst>`)
  add(
    'xl/styles.xml',
    `<styleSheet><numFmts>${formats}</numFmts><cellXfs><xf numFmtId="0"/>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`,
  )
  for (const [at, name] of names.entries()) {
    const rows = (sheets[name] ?? []).map((row, line) =>
      row.length === 0
        ? ''
        : `<row r="${line + 1}"${hiddenRows.includes(line + 1) ? ' hidden="1"' : ''}>${row.map(cellXml).join('')}</row>`,
    )
    const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
    add(
      `xl/worksheets/sheet${at + 1}.xml`,
      `<worksheet><sheetData>${rows.join('')}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
    )
  }
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
