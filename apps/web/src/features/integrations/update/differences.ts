import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import { getValue } from '@trellis/contract/formas/forma-rules'
import { isSame } from '../../../ui/forms/form-values.ts'

export interface Difference {
  label: string
  mine: string
  theirs: string
}

/** Secrets are skipped: they cannot be read. */
export function findDifferences(forma: Forma, mine: FormaValues, theirs: FormaValues): Difference[] {
  return forma.sections.flatMap((section) =>
    section.elements
      .filter(({ type }) => type !== 'secret')
      .flatMap((element) => {
        const own = getValue(mine, section.reference, element.reference)
        const other = getValue(theirs, section.reference, element.reference)
        if (isSame(own ?? null, other ?? null)) return []
        return [{ label: element.label, mine: formatValue(element, own), theirs: formatValue(element, other) }]
      }),
  )
}

const MAX_LENGTH = 80

function formatValue(element: FormaElement, value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const options = 'options' in element.properties ? element.properties.options : []
  const text = options.find((option) => option.value === value)?.label ?? formatPlain(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

const formatPlain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
