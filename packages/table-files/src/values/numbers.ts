import { COMMA_NUMBER, KIND, MARK, NUMERIC, POINT_NUMBER } from './kinds.ts'

const CODES =
  'EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|INR|BRL|CAD|AUD|NZD|MXN|ZAR|SGD|HKD|KRW|AED|SAR|THB'
const CURRENCY = `(?:[$€£¥₹₽₩₺₪₫₦₴]|${CODES}|US\\$|R\\$|kr\\.?|zł|Kč)`
const SPACES = ' \u00a0\u2007\u2009\u202f'
// -0 would lose its sign.
const PLAIN = /^(?:0|-?[1-9]\d*)$/
const POINT = /^-?(?:(?:0|[1-9]\d*)\.\d+|\.\d+)$/
/** numeric has no negative zero. */
const MINUS_ZERO = /^-(?:0?[.,]0+)$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
const BY_COMMA = /^-?[1-9]\d{0,2}(?:,\d{3})+(\.\d+)?$/
const BY_INDIAN_COMMA = /^-?[1-9]\d?(?:,\d{2})+,\d{3}(\.\d+)?$/
const BY_POINT = /^-?[1-9]\d{0,2}(?:\.\d{3})+(,\d+)?$/
/** `192.168.100.200` is an IP address. */
const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/
const BY_SPACE = new RegExp(`^-?[1-9]\\d{0,2}(?:([${SPACES}])\\d{3})(?:\\1\\d{3})*([.,]\\d+)?$`)
const BY_APOSTROPHE = /^-?[1-9]\d{0,2}(?:(['’])\d{3})(?:\1\d{3})*([.,]\d+)?$/
// A bare 12e4 may be a code.
const SCIENTIFIC = /^-?\d+(?:([.,])\d+[eE][+-]?\d{1,3}|[eE][+-]\d{1,3})$/
const WITH_CURRENCY = new RegExp(
  `^(-?)(?:(${CURRENCY})[${SPACES}]?(-?[\\d.].*)|([\\d.].*\\d)[${SPACES}]?(${CURRENCY}))$`,
)
/** Accounting negatives: brackets, or SAP's trailing minus. Without a fraction they may be codes. */
const BRACKETED = /^\((.*\d[.,]\d{2,})\)$/
const CURRENCY_BRACKETED = new RegExp(`^(${CURRENCY})[${SPACES}]*\\((.*\\d[.,]\\d{2,})\\)$`)
const MINUS_BEHIND = /^([^-]*\d[.,]\d{2,})-$/
/** `+12.50` is an amount; `+49.30123456` and `+5` may be phone numbers. */
const PLUS_AHEAD = /^\+(\d(?:.*\d)?[.,]\d{2})$/
const MINUS_SIGN = '\u2212'
const NOT_FINITE = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i
const ANY_FRACTION = KIND.decimal | KIND.float | KIND.commaDecimal | KIND.commaFloat
const MAX_BIGINT = 9_223_372_036_854_775_807n
/** Digits that a double always preserves. */
const FLOAT_DIGITS = 15

export function numberKinds(value: string): number {
  const text = trimNumber(value)
  const plain = detectUnsignedKinds(text)
  if (plain !== 0 && MINUS_ZERO.test(text)) return plain | MARK.currency | MARK.rewritten
  if (plain !== 0) return text.length !== value.length && hasWideSpace(value) ? plain | MARK.rewritten : plain
  const bareUnsignedText = withoutSigns(text)
  if (bareUnsignedText === undefined)
    return toNotFinite(text) === undefined ? 0 : ANY_FRACTION | MARK.currency | MARK.rewritten
  const kinds = detectUnsignedKinds(bareUnsignedText.text)
  // Amounts with a currency are decimals even if all are whole.
  const amount = kinds & ~(KIND.integer | KIND.commaInteger)
  return kinds === 0 ? 0 : amount | MARK.currency | MARK.rewritten
}

const trimNumber = (value: string): string => {
  const [first, last] = [value.charCodeAt(0), value.charCodeAt(value.length - 1)]
  return first <= 32 || last <= 32 || first > 127 || last > 127 ? value.trim() : value
}
const hasWideSpace = (value: string) =>
  /^[^\d.-]*[\u00a0\u2007\u2009\u202f]|[\u00a0\u2007\u2009\u202f][^\d]*$/.test(value)

function detectUnsignedKinds(text: string): number {
  if (PLAIN.test(text)) return wholeKinds(text)
  const digits = text.length > FLOAT_DIGITS ? MARK.exact : 0
  if (POINT.test(text)) {
    const kinds = KIND.decimal | KIND.float | digits
    return BY_POINT.test(text) ? kinds | COMMA_NUMBER | MARK.twoNumbers : kinds
  }
  if (COMMA.test(text)) {
    const kinds = KIND.commaDecimal | KIND.commaFloat | MARK.rewritten | digits
    return BY_COMMA.test(text) ? kinds | POINT_NUMBER | MARK.twoNumbers : kinds
  }
  return groupedKinds(text) || scientificKinds(text)
}

function wholeKinds(text: string): number {
  if (text.length < 16) return NUMERIC
  if (text.length < 19 || fitsBigint(text)) return NUMERIC | MARK.exact
  return (NUMERIC & ~(KIND.integer | KIND.commaInteger)) | MARK.exact
}

const fitsBigint = (digits: string): boolean => {
  const number = BigInt(digits)
  return number <= MAX_BIGINT && number >= -MAX_BIGINT - 1n
}

function groupedKinds(text: string): number {
  const mark = MARK.rewritten | (text.length > FLOAT_DIGITS ? MARK.exact : 0)
  const isWhole = text.length < 19
  const byComma = BY_COMMA.exec(text) ?? BY_INDIAN_COMMA.exec(text)
  if (byComma) return pointNumber(byComma[1] === undefined && isWhole) | mark
  const byPoint = ADDRESS.test(text) ? null : BY_POINT.exec(text)
  if (byPoint) return commaNumber(byPoint[1] === undefined && isWhole) | mark
  const bySpace = BY_SPACE.exec(text)
  const parted = bySpace ?? BY_APOSTROPHE.exec(text)
  if (!parted) return 0
  const end = parted[2]
  const spaced = mark | (bySpace ? MARK.spaced : 0)
  if (end === undefined) return pointNumber(isWhole) | commaNumber(isWhole) | spaced
  return (end.startsWith('.') ? pointNumber(false) : commaNumber(false)) | spaced
}

const pointNumber = (isWhole: boolean) => (isWhole ? POINT_NUMBER : KIND.decimal | KIND.float)
const commaNumber = (isWhole: boolean) => (isWhole ? COMMA_NUMBER : KIND.commaDecimal | KIND.commaFloat)

function scientificKinds(text: string): number {
  const match = SCIENTIFIC.exec(text)
  if (!match) return 0
  const point = KIND.decimal | KIND.float
  const comma = KIND.commaDecimal | KIND.commaFloat
  const kinds = match[1] === '.' ? point : match[1] === ',' ? comma | MARK.rewritten : point | comma
  const exponent = Math.abs(Number(/[eE]([+-]?\d+)$/.exec(text)?.[1] ?? 0))
  const digits = text.replace(/[eE].*$/, '').replaceAll(/\D/g, '').length
  return kinds | MARK.scientific | (digits > FLOAT_DIGITS || exponent > 290 ? MARK.exact : 0)
}

interface UnsignedText {
  readonly text: string
  readonly currency: string
}

function withoutSigns(text: string): UnsignedText | undefined {
  const plus = PLUS_AHEAD.exec(text)?.[1]
  if (plus !== undefined) return { text: plus, currency: '' }
  const bracketed = CURRENCY_BRACKETED.exec(text)
  if (bracketed) return { text: `-${bracketed[2]}`, currency: bracketed[1] ?? '' }
  const amount =
    (text.startsWith(MINUS_SIGN) ? text.slice(1) : undefined) ?? (BRACKETED.exec(text) ?? MINUS_BEHIND.exec(text))?.[1]
  if (amount === undefined) return withoutCurrency(text)
  const bareUnsignedText = withoutCurrency(amount) ?? { text: amount, currency: '' }
  return bareUnsignedText.text.startsWith('-') ? undefined : { ...bareUnsignedText, text: `-${bareUnsignedText.text}` }
}

function withoutCurrency(text: string): UnsignedText | undefined {
  const match = WITH_CURRENCY.exec(text)
  if (!match) return undefined
  const [, sign = '', before, behindSign, beforeSign, after] = match
  if (sign !== '' && behindSign?.startsWith('-')) return undefined
  return { text: sign + (behindSign ?? beforeSign ?? ''), currency: before ?? after ?? '' }
}

export const readCurrency = (value: string): string => withoutSigns(value.trim())?.currency ?? ''

/** `Nan` is a name. */
function toNotFinite(text: string): string | undefined {
  const match = NOT_FINITE.exec(text)
  if (!match || text === 'Nan') return undefined
  return match[2] === undefined ? 'NaN' : `${match[1] === '-' ? '-' : ''}Infinity`
}

export function plainNumber(cell: string, isCommaDecimal: boolean): string {
  const text = cell.trim()
  const notFinite = toNotFinite(text)
  if (notFinite !== undefined) return notFinite
  const bare = withoutSigns(text)?.text ?? text
  const kinds = detectUnsignedKinds(bare)
  if ((kinds & (isCommaDecimal ? COMMA_NUMBER : POINT_NUMBER)) === 0) return cell
  const groups = isCommaDecimal ? /[.\s'’]/g : /[,\s'’]/g
  const number = bare.replaceAll(groups, '').replace(',', '.')
  return MINUS_ZERO.test(number) ? number.slice(1) : number
}
