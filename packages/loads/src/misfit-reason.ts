export interface TypeMismatch {
  readonly column: string
  readonly type: string
  readonly value: string
  readonly dateOrder?: 'ymd' | 'dmy' | 'mdy'
}

const ORDERS = { ymd: 'year-month-day', dmy: 'day-month-year', mdy: 'month-day-year' } as const
const OUT_OF_RANGE = new Set(['22003', '22008'])
const TOO_LONG = '22001'
const NOT_IN_DOMAIN = '23514'

const WHOLE: Record<string, string> = {
  smallint: '32,767',
  integer: '2,147,483,647',
  bigint: '9,223,372,036,854,775,807',
}
const LOOKS_LIKE_DATE = /^[\s“]*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/

export function misfitReason(state: string, misfit: TypeMismatch): string {
  const { type } = misfit
  const isRange = OUT_OF_RANGE.has(state)
  if (state === TOO_LONG) return tooLong(type)
  if (state === NOT_IN_DOMAIN) return `Not allowed by the rule of the type ${type}.`
  if (type in WHOLE) return isRange ? outsideWhole(type, misfit.value) : 'Not a whole number.'
  if (type.startsWith('numeric')) return isRange ? tooManyDigits(type) : 'Not a number.'
  if (type === 'double precision' || type === 'real') {
    return isRange ? 'Larger or smaller than a floating number can be.' : 'Not a number.'
  }
  if (type === 'boolean') return 'Not yes or no.'
  if (type === 'date') return notADate('date', misfit)
  if (type.startsWith('timestamp')) return notADate('date and time', misfit)
  if (type.startsWith('time')) return isRange ? 'There is no such time of day.' : 'Not a time of day.'
  if (type === 'uuid') return 'Not a UUID.'
  if (type === 'json' || type === 'jsonb') return 'Not valid JSON.'
  return `Not a value of the type ${type}.`
}

function outsideWhole(type: string, value: string): string {
  if (value.trim().startsWith('-'))
    return `Smaller than a whole number can be here; the smallest is about -${WHOLE[type]}.`
  return `Larger than a whole number can be here; the largest is ${WHOLE[type]}.`
}

function tooManyDigits(type: string): string {
  const [, digits, behind = '0'] = /^numeric\((\d+)(?:,(-?\d+))?\)$/.exec(type) ?? []
  if (digits === undefined) return 'More digits than a decimal number can have.'
  return `Too large: the column has room for ${Number(digits) - Number(behind)} digits before the decimal mark.`
}

function tooLong(type: string): string {
  const length = /\((\d+)\)/.exec(type)?.[1]
  if (length === undefined) return 'Longer than the column allows.'
  return `Longer than the column allows, which is ${Number(length).toLocaleString('en')} ${type.startsWith('bit') ? 'bits' : 'characters'}.`
}

function notADate(what: string, { value, dateOrder }: TypeMismatch): string {
  if (dateOrder === undefined || !LOOKS_LIKE_DATE.test(value)) return `Not a ${what}.`
  return `Not a ${what} in the order ${ORDERS[dateOrder]}.`
}
