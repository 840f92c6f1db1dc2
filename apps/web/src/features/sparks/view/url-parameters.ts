import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'

/** Names of parameters are chosen by people: with a prefix none is mistaken for a word of the page. */
const toName = (key: string) => `p.${key}`

/** An empty text in the address is "all"; a parameter that is not there has its initial value. */
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
