import { DATES, KIND, MARK, POINT_NUMBER, TIMESTAMPS, ZONED } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'
import { type Workbook, localName, readPart } from './xlsx-parts.ts'

/** A number is the minimum of digits shown, for codes. */
export type CellStyle = 'number' | 'date' | 'time' | 'duration' | number

const isBetween = (id: number, first: number, last: number) => id >= first && id <= last

function builtInStyle(id: number): CellStyle {
  if (isBetween(id, 18, 21) || id === 32 || id === 33) return 'time'
  if (isBetween(id, 45, 47)) return 'duration'
  return (isBetween(id, 14, 36) && (id <= 22 || id >= 27)) || isBetween(id, 50, 58) ? 'date' : 'number'
}

/**
 * `[h]:mm` is a duration, `h:mm` a time; anything with a day is a date. Quoted and escaped letters are literals; those
 * after `_` and `*` are spacing: `#,##0.00 _D_M` is no date.
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
  readonly kinds: number
}

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
/** 31 December 9999, the last date of spreadsheets. */
const LAST_DAY = 2_958_465
/** 29 February 1900 exists only in Lotus 1-2-3's calendar. */
const NO_DAY = 60

/** Days since 1900 (with the leap day bug) or 1904. */
function momentCell(serial: number, style: Exclude<CellStyle, number | 'number'>, is1904: boolean): CellValue {
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const moment = new Date(Math.round((days - 25_569) * DAY_MS))
  const isMoment = serial >= 0 && days < LAST_DAY + 1 && (is1904 || Math.floor(serial) !== NO_DAY)
  if (style === 'duration' || (style === 'time' && (serial >= 1 || serial < 0))) {
    return { text: formatSerialTime(serial), kinds: KIND.interval }
  }
  if (style === 'time') return { text: formatSerialTime(serial), kinds: KIND.time | KIND.interval }
  if (!isMoment) return { text: String(serial), kinds: KIND.decimal | KIND.float }
  if (serial < 1 && !is1904) return { text: formatSerialTime(serial), kinds: KIND.time | KIND.interval }
  const iso = moment.toISOString()
  if (Number.isInteger(serial)) return { text: iso.slice(0, 10), kinds: DATES | TIMESTAMPS | ZONED }
  const fraction = iso.slice(19, 23) === '.000' ? '' : iso.slice(19, 23)
  return { text: `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}`, kinds: TIMESTAMPS | ZONED }
}

/** Hours may exceed a day. */
function formatSerialTime(serial: number): string {
  const millis = Math.round(Math.abs(serial) * DAY_MS)
  const two = (count: number) => String(count).padStart(2, '0')
  const [hours, rest] = [Math.floor(millis / 3_600_000), millis % 3_600_000]
  const part = rest % 1000 === 0 ? '' : `.${String(rest % 1000).padStart(3, '0')}`
  const clock = `${two(hours)}:${two(Math.floor(rest / 60_000))}:${two(Math.floor((rest % 60_000) / 1000))}${part}`
  return serial < 0 ? `-${clock}` : clock
}
