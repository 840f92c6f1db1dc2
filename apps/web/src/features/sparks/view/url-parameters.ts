import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'

/** The prefix keeps parameter names apart from the page's own. */
const toName = (key: string) => `p.${key}`

/** Empty means "all"; a missing parameter has its initial value. */
export function readParameters(declared: readonly SparkParameter[], address: URLSearchParams): ParameterValues {
  return Object.fromEntries(
    declared.map(({ key, initial }) => {
      const value = address.get(toName(key))
      return [key, value === null ? initial : value === '' ? null : value]
    }),
  )
}

export function writeParameters(
  declared: readonly SparkParameter[],
  values: ParameterValues,
  address: URLSearchParams,
): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const { key, initial } of declared) {
    const value = values[key] ?? null
    if (value === initial) next.delete(toName(key))
    else next.set(toName(key), value ?? '')
  }
  return next
}
