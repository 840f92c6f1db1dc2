import type { Connector } from '@trellis/connector-kit/connector'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import {
  REQUIRED,
  findFormaProblems,
  pickKnownValues,
  listShownSections,
  getValue,
} from '@trellis/contract/formas/forma-rules'
import { type Fault, invalidFault, missingFault } from './fault.ts'

export interface JudgedQuery {
  readonly connector: Connector
  readonly part: 'source' | 'destination'
  readonly values: FormaValues
  readonly path: string
  readonly today: string
}

export function findQueryFaults(query: JudgedQuery): Fault[] {
  const { connector, part, values, path, today } = query
  const formas = connector[part]?.queryFormas ?? []
  const isFilledIn = (forma: Forma) => forma.sections.some(({ reference }) => values[reference] !== undefined)
  const filledFormas = formas.filter(isFilledIn)
  return (filledFormas.length > 0 ? filledFormas : formas.slice(0, 1)).flatMap((forma) => {
    const problems = Object.entries(findFormaProblems(forma, pickKnownValues(forma, values), { today }))
    const faults = problems.map(([name, problem]) => {
      const sentence = `${getElementLabel(forma, name)}: ${problem}`
      return problem === REQUIRED
        ? missingFault(`${path}.${name}`, sentence)
        : invalidFault(`${path}.${name}`, sentence)
    })
    return faults.length > 0 ? faults : findLanguageFaults(forma, query)
  })
}

/** Queries in the platform's own language are validated by line and column. */
function findLanguageFaults(forma: Forma, { connector, values, path }: JudgedQuery): Fault[] {
  if (!connector.judgeQuery) return []
  const { judgeQuery } = connector
  return listShownSections(forma, values).flatMap((section) =>
    section.elements.flatMap(({ type, reference }) => {
      const text = getValue(values, section.reference, reference)
      if (type !== 'query_editor' || typeof text !== 'string' || text.trim() === '') return []
      const { did_succeed, message } = judgeQuery(text)
      return did_succeed ? [] : [invalidFault(`${path}.${section.reference}.${reference}`, message)]
    }),
  )
}

function getElementLabel(forma: Forma, name: string): string {
  const [section, element] = name.split('.')
  const elementSection = forma.sections.find(({ reference }) => reference === section)
  return elementSection?.elements.find(({ reference }) => reference === element)?.label ?? name
}
