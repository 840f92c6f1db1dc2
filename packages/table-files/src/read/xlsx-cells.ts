import { DATES, KIND, MARK, POINT_NUMBER, TIMESTAMPS, ZONED } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'
import { type Workbook, localName, readPart } from './xlsx-parts.ts'

/** What the numbers of a cell are by their format; a number for codes that are shown with so many digits at least. */
export type CellStyle = 'number' | 'date' | 'time' | 'duration' | number

const between = (id: number, first: number, last: number) => id >= first && id <= last

function builtInStyle(id: number): CellStyle {
  if (between(id, 18, 21) || id === 32 || id === 33) return 'time'
  if (between(id, 45, 47)) return 'duration'
  return (between(id, 14, 36) && (id <= 22 || id >= 27)) || between(id, 50, 58) ? 'date' : 'number'
}

/**
 * `[h]:mm` counts hours beyond a day; `h:mm` shows the time of a day; whatever names a day is a date. Letters in quotes and
 * behind a backslash are shown, those behind `_` and `*` only give a width or fill it: `#,##0.00 _D_M` is no date.
 */
function parseStyle(formatCode: string): CellStyle {
  const code = formatCode.replaceAll(/"[^"]*"|[\\_*]./g, '').split(';')[0] ?? ''
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return 'duration'
  const bare = code.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/am\/pm|a\/p/gi, 'h')
  if (/general/i.test(bare)) return 'number'
  // 00000 shows 1067 as the postcode 01067.
  if (/^0{2,}$/.test(formatCode)) return formatCode.length
  if (/[yd]/i.test(bare)) return 'date'
  if (/[hs]/i.test(bare)) return 'time'
  return /m/i.test(bare) ? 'date' : 'number'
}

/** For each style of the workbook what its numbers are. */
export async function readStyles({ zip }: Workbook): Promise<CellStyle[]> {
  const custom = new Map<number, CellStyle>()
  const styles: CellStyle[] = []
  let isCellFormats = false
  await readPart(
    zip,
    zip.entries.find((entry) => entry.fileName === 'xl/styles.xml'),
    {
      open: (tag) => {
        const name = localName(tag)
        if (name === 'numFmt')
          custom.set(Number(tag.attributes['numFmtId']), parseStyle(tag.attributes['formatCode'] ?? ''))
        if (name === 'cellXfs') isCellFormats = true
        if (name === 'xf' && isCellFormats) {
          const id = Number(tag.attributes['numFmtId'])
          styles.push(custom.get(id) ?? builtInStyle(id))
        }
      },
      close: (tag) => {
        if (localName(tag) === 'cellXfs') isCellFormats = false
      },
    },
  )
  return styles
}

export interface CellValue {
  readonly text: string
  /** What the workbook says it is, in bits. */
  readonly kinds: number
}

/** A number of a cell: how it is stored, which is not how it is shown. */
export function numberCell(text: string, style: CellStyle, is1904: boolean): CellValue {
  const number = Number(text)
  if (typeof style === 'number') return paddedCell(text, style, is1904)
  if (style !== 'number') return momentCell(number, style, is1904)
  // Workbooks write 0.1 as 0.10000000000000001.
  const plain = Number.isSafeInteger(number) || /[.eE]/.test(text) ? String(number) : text
  const kinds = detectKinds(plain) & (POINT_NUMBER | MARK.exact | MARK.scientific)
  return { text: plain, kinds: kinds || KIND.decimal | KIND.float }
}

function paddedCell(text: string, digits: number, is1904: boolean): CellValue {
  const isPadded = /^\d+$/.test(text) && text.length <= digits
  return isPadded ? { text: text.padStart(digits, '0'), kinds: 0 } : numberCell(text, 'number', is1904)
}

const DAY_MS = 86_400_000
/** The last day of the year 9999: spreadsheets show no date behind it. */
const LAST_DAY = 2_958_465
/** 29 February 1900, which there was only in Lotus 1-2-3. */
const NO_DAY = 60

/** Days since 1900 (with a leap day that never was) or 1904, or parts and numbers of days. */
function momentCell(serial: number, style: Exclude<CellStyle, number | 'number'>, is1904: boolean): CellValue {
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const moment = new Date(Math.round((days - 25_569) * DAY_MS))
  const isMoment = serial >= 0 && days < LAST_DAY + 1 && (is1904 || Math.floor(serial) !== NO_DAY)
  if (style === 'duration' || (style === 'time' && (serial >= 1 || serial < 0))) {
    return { text: clockText(serial), kinds: KIND.interval }
  }
  if (style === 'time') return { text: clockText(serial), kinds: KIND.time | KIND.interval }
  if (!isMoment) return { text: String(serial), kinds: KIND.decimal | KIND.float }
  if (serial < 1 && !is1904) return { text: clockText(serial), kinds: KIND.time | KIND.interval }
  const iso = moment.toISOString()
  if (Number.isInteger(serial)) return { text: iso.slice(0, 10), kinds: DATES | TIMESTAMPS | ZONED }
  const fraction = iso.slice(19, 23) === '.000' ? '' : iso.slice(19, 23)
  return { text: `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}`, kinds: TIMESTAMPS | ZONED }
}

/** Hours, minutes and seconds of a number of days, as many hours as there are. */
function clockText(serial: number): string {
  const millis = Math.round(Math.abs(serial) * DAY_MS)
  const two = (count: number) => String(count).padStart(2, '0')
  const [hours, rest] = [Math.floor(millis / 3_600_000), millis % 3_600_000]
  const part = rest % 1000 === 0 ? '' : `.${String(rest % 1000).padStart(3, '0')}`
  const clock = `${two(hours)}:${two(Math.floor(rest / 60_000))}:${two(Math.floor((rest % 60_000) / 1000))}${part}`
  return serial < 0 ? `-${clock}` : clock
}
