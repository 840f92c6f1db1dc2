import { ExpressionFault, type Expression, parseTemplate } from './expression.ts'
import { type ValueType, findFilter } from './filters.ts'

export interface Names {
  readonly inputs: ReadonlyMap<string, { isSecret: boolean }>
  /** Settings and query by `section.element`; undefined skips the check. */
  readonly values?: ReadonlyMap<string, { isSecret: boolean }> | undefined
  readonly hosts?: readonly string[] | undefined
  readonly hasWindow?: boolean
  readonly windowType?: ValueType
  readonly hasParent?: boolean
  readonly parentFields?: readonly string[] | undefined
  readonly hasPartition?: boolean
  readonly hasReport?: boolean
  readonly hasFields?: boolean
  readonly hasPage?: boolean
  /** The text is shown or logged, so it must not contain secrets. */
  readonly isShown?: boolean
}

interface NamedValue {
  readonly type: ValueType
  readonly isSecret?: boolean
}

export function findTemplateFaults(text: string, names: Names): string[] {
  try {
    return parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : findExpressionFaults(part, names)))
  } catch (error) {
    if (error instanceof ExpressionFault) return [error.message]
    throw error
  }
}

function findExpressionFaults({ value, filters }: Expression, names: Names): string[] {
  const known: NamedValue | string =
    'literal' in value ? { type: typeof value.literal === 'number' ? 'number' : 'text' } : resolve(value.name, names)
  if (typeof known === 'string') return [known]
  if (known.isSecret && names.isShown && 'name' in value) {
    return [
      `${value.name.join('.')} is secret and can't stand here, where it would be seen. Put it into the authentication.`,
    ]
  }
  const faults = findUnmaskableFilters(known, filters)
  let { type } = known
  for (const { name, argument } of filters) {
    const filter = findFilter(name)
    if (!filter) return [...faults, `There is no filter "${name}".`]
    if (type !== 'unknown' && !filter.takes.includes(type))
      faults.push(`The filter ${name} can't be used on ${WORDS[type]}.`)
    if (filter.argument === 'none' && argument !== undefined)
      faults.push(`The filter ${name} takes nothing after a colon.`)
    if (filter.argument !== 'none' && argument === undefined)
      faults.push(`The filter ${name} needs a value, as ${name}: 1.`)
    if (filter.argument === 'number' && argument !== undefined && typeof argument !== 'number') {
      faults.push(`The filter ${name} needs a number.`)
    }
    type = filter.gives
  }
  return faults
}

/** Filters after which a secret can still be found and masked in a response. */
const MASKABLE_FILTERS = ['trim', 'encode', 'base64', 'default']

const findUnmaskableFilters = ({ isSecret }: NamedValue, filters: Expression['filters']) =>
  filters.flatMap(({ name }) =>
    isSecret && findFilter(name) && !MASKABLE_FILTERS.includes(name)
      ? [`The filter ${name} can't be used on a secret.`]
      : [],
  )

const WORDS: Record<ValueType, string> = {
  text: 'a text',
  number: 'a number',
  instant: 'a point in time',
  list: 'a list',
  unknown: 'this',
}

type Resolver = (rest: readonly string[], names: Names) => NamedValue | string

const RESOLVERS: Readonly<Record<string, Resolver>> = {
  config: ([first = '', ...more], { inputs }) => {
    const input = inputs.get(first)
    if (!input || more.length > 0) return `There is no input called "${[first, ...more].join('.')}".`
    return { type: 'text', isSecret: input.isSecret }
  },
  values: (rest, { values }) => checkSettingName(rest, values),
  query: (rest, { values }) =>
    values ? checkTwoParts(rest) : 'A source made here has no settings of the query to name.',
  host: ([first = '', ...more], { hosts }) =>
    hosts?.includes(first) && more.length === 0 ? { type: 'text' } : `There is no host called "${first}".`,
  now: (rest) => (rest.length === 0 ? { type: 'instant' } : '"now" has no parts.'),
  window: ([first = '', ...more], { hasWindow, windowType = 'instant' }) => {
    if (!hasWindow) return 'A window is there only in a stream with a cursor.'
    const isEnd = (first === 'start' || first === 'end') && more.length === 0
    return isEnd ? { type: windowType } : 'A window has a start and an end: window.start, window.end.'
  },
  parent: ([first = ''], { hasParent, parentFields }) => {
    if (!hasParent) return 'A parent is there only in a stream that is read for each record of another.'
    if (first === '') return 'Name a field of the parent, as parent.id.'
    if (parentFields && !parentFields.includes(first)) return `The parent has no field "${first}".`
    return { type: 'unknown' }
  },
  partition: ([first, ...more], { hasPartition }) => {
    if (!hasPartition) return 'A partition is there only in a stream that is read in several parts.'
    return first === 'value' && more.length === 0 ? { type: 'text' } : 'Write partition.value.'
  },
  report: ([first, ...more], { hasReport }) => {
    if (!hasReport) return 'A report is there only after it was asked for.'
    return first === 'id' && more.length === 0 ? { type: 'text' } : 'Write report.id.'
  },
  fields: (rest, { hasFields }) => {
    if (!hasFields) return 'Fields can be named only in a stream that lists them.'
    return rest.length === 0 ? { type: 'list' } : '"fields" has no parts.'
  },
  page: ([first, ...more], { hasPage }) => {
    if (!hasPage) return 'A page is there only in a stream that is paged by a cursor.'
    return first === 'token' && more.length === 0 ? { type: 'unknown' } : 'Write page.token.'
  },
}

function resolve([root = '', ...rest]: readonly string[], names: Names): NamedValue | string {
  const resolver = Object.hasOwn(RESOLVERS, root) ? RESOLVERS[root] : undefined
  return resolver ? resolver(rest, names) : `Nothing is called "${[root, ...rest].join('.')}".`
}

function checkSettingName(rest: readonly string[], values: Names['values']): NamedValue | string {
  if (!values) return 'A source made here names its inputs as config.name.'
  const known = values.get(rest.join('.'))
  return known ? { type: 'text', isSecret: known.isSecret } : `There is no setting called "${rest.join('.')}".`
}

const checkTwoParts = (rest: readonly string[]): NamedValue | string =>
  rest.length === 2 ? { type: 'unknown' } : 'Write query.section.element.'
