import { joinWithOr } from '../../shared/join-with-or.ts'
import type { CatalogueField, CatalogueResource } from './catalogue.ts'
import { findField, findResource, findNearestName, resourceNames, listSelectableFields } from './catalogue.ts'
import { CORE_DATES } from './catalogue-metrics.ts'
import { listDateConditions, isOneDay, getDateBounds } from './dates.ts'
import { findConditionProblem } from './validate-conditions.ts'
import { parseGaql } from './parse.ts'
import type { Name, Problem, Query } from './query.ts'

const MAX_SHOWN = 5
const MAX_CHANGE_EVENTS = 10_000

/** All problems in the order of the text; a syntax error is the only one. */
export function checkGaql(text: string): { readonly query: Query | null; readonly problems: readonly Problem[] } {
  const parsed = parseGaql(text)
  if ('problem' in parsed) return { query: null, problems: [parsed.problem] }
  return { query: parsed.query, problems: findProblems(parsed.query) }
}

export function validateQuery(text: string): { did_succeed: boolean; message: string } {
  const { query, problems } = checkGaql(text)
  if (query && problems.length === 0) return { did_succeed: true, message: describeValidQuery(query) }
  const shown = problems.slice(0, MAX_SHOWN).map(formatProblem)
  if (problems.length > MAX_SHOWN) shown.push(`… and ${problems.length - MAX_SHOWN} more.`)
  return { did_succeed: false, message: shown.join('\n') }
}

export const formatProblem = ({ line, column, message }: Problem): string =>
  `Line ${line}, column ${column}: ${message}`

function describeValidQuery({ select, from }: Query): string {
  const fields = `${select.length} ${select.length === 1 ? 'field' : 'fields'} from ${from.name}`
  const isDaily = select.some(({ name }) => name === 'segments.date')
  return isDaily ? `The query is valid: ${fields}, by day.` : `The query is valid: ${fields}.`
}

const createProblem = ({ line, column }: Name, message: string): Problem => ({ line, column, message })

function findProblems(query: Query): Problem[] {
  const resource = findResource(query.from.name)
  if (!resource) return [createProblem(query.from, explainUnknownResource(query.from.name))]
  const problems = [
    ...selectProblems(query, resource),
    ...findWhereProblems(query, resource),
    ...findOrderProblems(query, resource),
    ...findParameterProblems(query),
  ]
  if (problems.length === 0) problems.push(...findQueryProblems(query))
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function explainUnknownResource(name: string): string {
  const near = findNearestName(name, resourceNames)
  return near
    ? `There is no resource ${name}. Did you mean ${near}?`
    : `There is no resource ${name}. Allowed: ${resourceNames.join(', ')}.`
}

function findNameProblem({ name }: Name, resource: CatalogueResource): string | null {
  const field = findField(name)
  if (!field) return explainUnknownField(name, resource)
  if (listSelectableFields(resource).includes(name)) return null
  if (field.category === 'attribute') {
    const allowed = [resource.name, ...resource.along]
    return `${name} cannot be used with FROM ${resource.name}. Attributes of ${joinWithOr(allowed)} can.`
  }
  const kind = field.category === 'metric' ? 'metrics' : 'segments'
  if (resource[kind].length === 0) return `${resource.name} has no ${kind}, so ${name} cannot be used with it.`
  const others = resourceNames.filter((resourceName) => findResource(resourceName)?.[kind].includes(name)).slice(0, 4)
  return `${name} cannot be used with FROM ${resource.name}. It goes with ${joinWithOr(others)}.`
}

function explainUnknownField(name: string, resource: CatalogueResource): string {
  if (findResource(name)) return `${name} is a resource. Name one of its attributes, for example ${name}.resource_name.`
  const near = findNearestName(name, listSelectableFields(resource))
  if (near) return `There is no field ${name}. Did you mean ${near}?`
  const [first = ''] = name.split('.')
  if (!['metrics', 'segments'].includes(first) && !findResource(first)) {
    return `There is no field ${name}. With FROM ${resource.name} go attributes of ${joinWithOr([resource.name, ...resource.along])}, segments and metrics.`
  }
  const some = listSelectableFields(resource).filter((selectableField) => selectableField.startsWith(`${first}.`))
  const allowed =
    some.length === 0
      ? `${resource.name} has no ${first}`
      : `Allowed with ${resource.name}: ${some.slice(0, 6).join(', ')} …`
  return `There is no field ${name}. ${allowed}.`
}

function selectProblems({ select }: Query, resource: CatalogueResource): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const field of select) {
    const message = findNameProblem(field, resource)
    if (message) problems.push(createProblem(field, message))
    else if (seen.has(field.name)) problems.push(createProblem(field, `${field.name} is selected twice.`))
    seen.add(field.name)
  }
  return [...problems, ...findConversionProblems(select)]
}

/** Impressions, clicks and cost belong to no conversion: split by conversion they would be counted repeatedly. */
function findConversionProblems(select: readonly Name[]): Problem[] {
  const findGroup = ({ name }: Name) => findField(name)?.group
  const segment = select.find((name) => name.name.startsWith('segments.') && findGroup(name) === 'conversion')
  if (!segment) return []
  return select
    .filter((name) => name.name.startsWith('metrics.') && findGroup(name) !== 'conversion')
    .map((name) =>
      createProblem(name, `${name.name} cannot be broken down by ${segment.name}: only metrics of conversions can.`),
    )
}

const isSelected = ({ select }: Query, name: string) => select.some((other) => other.name === name)

function findWhereProblems(query: Query, resource: CatalogueResource): Problem[] {
  return query.where.flatMap((condition) => {
    const message = findNameProblem(condition.field, resource)
    if (message) return [createProblem(condition.field, message)]
    const field = findField(condition.field.name) as CatalogueField
    const isFree = field.category !== 'segment' || CORE_DATES.includes(field.name) || isSelected(query, field.name)
    if (!isFree) {
      const free = joinWithOr(CORE_DATES)
      return [
        createProblem(
          condition.field,
          `To filter by ${field.name}, select it as well. Only ${free} need not be selected.`,
        ),
      ]
    }
    return findConditionProblem(condition, field) ?? []
  })
}

function findOrderProblems(query: Query, resource: CatalogueResource): Problem[] {
  return query.orderBy.flatMap(({ field: name }) => {
    const message = findNameProblem(name, resource)
    if (message) return [createProblem(name, message)]
    const field = findField(name.name) as CatalogueField
    if (!field.isSortable) {
      const why = field.isRepeated ? 'holds several values' : 'is a message'
      return [createProblem(name, `${field.name} ${why} and cannot be ordered by.`)]
    }
    const isOwn = field.name.startsWith(`${resource.name}.`)
    return isOwn || isSelected(query, field.name)
      ? []
      : [createProblem(name, `To order by ${field.name}, select it as well.`)]
  })
}

const PARAMETERS = ['include_drafts', 'omit_unselected_resource_names']

function findParameterProblems({ parameters }: Query): Problem[] {
  return parameters.flatMap(({ name, value }, index) => {
    if (!PARAMETERS.includes(name.name)) {
      const near = findNearestName(name.name, PARAMETERS)
      return [
        createProblem(
          name,
          `There is no parameter ${name.name}. ${near ? `Did you mean ${near}?` : `Allowed: ${joinWithOr(PARAMETERS)}.`}`,
        ),
      ]
    }
    if (parameters.findIndex((parameter) => parameter.name.name === name.name) < index)
      return [createProblem(name, `${name.name} is set twice.`)]
    if (/^(true|false)$/i.test(value.text)) return []
    return [{ line: value.line, column: value.column, message: `${name.name} is true or false, not ${value.text}.` }]
  })
}

function findQueryProblems(query: Query): Problem[] {
  const [date] = listDateConditions(query)
  if (date && getDateBounds(query) === 'open') {
    const end = date.operator.startsWith('>') ? 'an end' : 'a beginning'
    return [
      createProblem(
        date.field,
        `These dates have no bound on one side: add ${end}, use BETWEEN, or leave dates out and use the date range.`,
      ),
    ]
  }
  if (query.from.name === 'click_view' && date && !isOneDay(query)) {
    return [
      createProblem(
        date.field,
        'click_view answers for a single day. Write segments.date = a day, or leave dates out and use the date range.',
      ),
    ]
  }
  return query.from.name === 'change_event' ? changeProblems(query) : []
}

function changeProblems(query: Query): Problem[] {
  if (!query.where.some(({ field }) => field.name === 'change_event.change_date_time')) {
    return [
      createProblem(
        query.from,
        'change_event needs a condition on change_event.change_date_time within the last 30 days.',
      ),
    ]
  }
  if (!query.limit) return [createProblem(query.from, `change_event needs a LIMIT of at most ${MAX_CHANGE_EVENTS}.`)]
  if (query.limit.count <= MAX_CHANGE_EVENTS) return []
  const { line, column } = query.limit
  return [{ line, column, message: `change_event needs a LIMIT of at most ${MAX_CHANGE_EVENTS}.` }]
}
