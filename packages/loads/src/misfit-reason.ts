export interface TypeMismatch {
  readonly column: string
  readonly type: string
  readonly value: string
  readonly dateOrder?: 'ymd' | 'dmy' | 'mdy'
}

const DATE_ORDERS = { ymd: 'year-month-day', dmy: 'day-month-year', mdy: 'month-day-year' } as const
const OUT_OF_RANGE_CODES = new Set(['22003', '22008'])
const STRING_TOO_LONG = '22001'
const CHECK_VIOLATION = '23514'

const MAX_WHOLE_NUMBERS: Record<string, string> = {
  smallint: '32,767',
  integer: '2,147,483,647',
  bigint: '9,223,372,036,854,775,807',
}
const LOOKS_LIKE_DATE = /^[\s“]*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/

export function describeMisfit(sqlState: string, misfit: TypeMismatch): string {
  const { type } = misfit
  const isRange = OUT_OF_RANGE_CODES.has(sqlState)
  if (sqlState === STRING_TOO_LONG) return describeTooLong(type)
  if (sqlState === CHECK_VIOLATION) return `Not allowed by the rule of the type ${type}.`
  if (type in MAX_WHOLE_NUMBERS) return isRange ? describeOutOfRange(type, misfit.value) : 'Not a whole number.'
  if (type.startsWith('numeric')) return isRange ? describeTooManyDigits(type) : 'Not a number.'
  if (type === 'double precision' || type === 'real') {
    return isRange ? 'Larger or smaller than a floating number can be.' : 'Not a number.'
  }
  if (type === 'boolean') return 'Not yes or no.'
  if (type === 'date') return describeInvalidDate('date', misfit)
  if (type.startsWith('timestamp')) return describeInvalidDate('date and time', misfit)
  if (type.startsWith('time')) return isRange ? 'There is no such time of day.' : 'Not a time of day.'
  if (type === 'uuid') return 'Not a UUID.'
  if (type === 'json' || type === 'jsonb') return 'Not valid JSON.'
  return `Not a value of the type ${type}.`
}

function describeOutOfRange(type: string, value: string): string {
  if (value.trim().startsWith('-'))
    return `Smaller than a whole number can be here; the smallest is about -${MAX_WHOLE_NUMBERS[type]}.`
  return `Larger than a whole number can be here; the largest is ${MAX_WHOLE_NUMBERS[type]}.`
}

function describeTooManyDigits(type: string): string {
  const [, digits, decimals = '0'] = /^numeric\((\d+)(?:,(-?\d+))?\)$/.exec(type) ?? []
  if (digits === undefined) return 'More digits than a decimal number can have.'
  return `Too large: the column has room for ${Number(digits) - Number(decimals)} digits before the decimal mark.`
}

function describeTooLong(type: string): string {
  const length = /\((\d+)\)/.exec(type)?.[1]
  if (length === undefined) return 'Longer than the column allows.'
  return `Longer than the column allows, which is ${Number(length).toLocaleString('en')} ${type.startsWith('bit') ? 'bits' : 'characters'}.`
}

function describeInvalidDate(expected: string, { value, dateOrder }: TypeMismatch): string {
  if (dateOrder === undefined || !LOOKS_LIKE_DATE.test(value)) return `Not a ${expected}.`
  return `Not a ${expected} in the order ${DATE_ORDERS[dateOrder]}.`
}
