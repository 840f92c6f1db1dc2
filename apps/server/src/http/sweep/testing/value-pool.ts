import type { ArbitraryInput } from '../../../testing/arbitrary-input.ts'
import type { Endpoint } from '@trellis/contract/core/endpoint'

type Scalar = string | number
export type Pick = (below: number) => number

const KEPT = 40
/** Names of things and positions; everything else is left to the generator. */
const NAMES_A_THING =
  /(^|_)(id|ids|code|codes|name|key|sha|version|pid|address|part|row|column|email|sql|code|content|query|cronExpression|timeStandard|yaml|template)$/
/** A path says `trellis_code` or `id` for what answers call by a longer name. */
const GENERAL = new Set(['trellis_code', 'id'])

/** Where the thing is, not which. */
const LASTS_ANYWAY = /^(integration_trellis_code|schema_name|project_id)$/

export const deletes = ({ method, id }: { method: string; id: string }): boolean =>
  method === 'DELETE' || /^(delete|remove|purge)/.test(id)

/** Values of earlier answers, by the name of their field, so that later requests reach what those made. */
export class ValuePool {
  readonly #byName = new Map<string, Scalar[]>()
  /** What was there at the beginning; requests that delete do not name it. */
  readonly #lasting = new Map<string, Scalar[]>()
  #isBeginning = true

  learn({ feature }: { readonly feature: string }, data: unknown): void {
    this.#walk(data, feature)
  }

  beginOver(): void {
    this.#isBeginning = false
  }

  #walk(value: unknown, feature: string, name = ''): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 5)) this.#walk(item, feature, name)
    else if (value !== null && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) this.#walk(inner, feature, key)
    } else if ((typeof value === 'string' && value !== '' && value.length < 200) || typeof value === 'number') {
      if (!NAMES_A_THING.test(name)) return
      this.#keep(name, value)
      this.#keep(`${feature}/${name}`, value)
      if (name.endsWith('_trellis_code')) this.#keep(`${feature}/trellis_code`, value)
    }
  }

  #keep(name: string, value: Scalar): void {
    const place = this.#isBeginning ? this.#lasting : this.#byName
    if (!this.#isBeginning && this.#lasting.get(name)?.includes(value)) return
    const keptScalars = place.get(name) ?? []
    if (keptScalars.includes(value)) return
    keptScalars.push(value)
    if (keptScalars.length > KEPT) keptScalars.shift()
    place.set(name, keptScalars)
  }

  #findFirst(name: string, { feature }: { feature: string }): Scalar | undefined {
    const options = GENERAL.has(name)
      ? [`${feature}/${name}`, name]
      : [`${feature}/${name}`, name, name.replace(/s$/, '')]
    return options.map((option) => this.#lasting.get(option)?.[0]).find((scalar) => scalar !== undefined)
  }

  find(name: string, { feature, isDelete }: { feature: string; isDelete: boolean }, pick: Pick): Scalar | undefined {
    const singular = name.replace(/s$/, '')
    const options = GENERAL.has(name)
      ? [`${feature}/${name}`, name]
      : [`${feature}/${name}`, name, singular, name.replace(/^.*?_(?=.*_(code|id)$)/, '')]
    const isLasting = !isDelete && pick(3) > 0
    const isTenant = isDelete && LASTS_ANYWAY.test(name)
    for (const option of options) {
      const lasting = this.#lasting.get(option)
      const keptScalars = this.#byName.get(option)
      const chosen =
        isLasting || isTenant ? (lasting ?? keptScalars) : (keptScalars ?? (isDelete ? undefined : lasting))
      if (chosen && (option === name || pick(4) > 0)) return chosen[pick(chosen.length)]
    }
    return undefined
  }

  /** The input with most of the things it names replaced by ones that exist. */
  fill(endpoint: Endpoint, input: ArbitraryInput, pick: Pick): ArbitraryInput {
    const of = { feature: endpoint.feature, isDelete: deletes(endpoint) }
    const isPlain = !of.isDelete && pick(2) === 0
    const fill = (value: unknown, name: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => fill(item, name))
      if (value !== null && typeof value === 'object')
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, key)]))
      if (!NAMES_A_THING.test(name) || (!isPlain && pick(8) === 0)) return value
      const knownScalar = isPlain ? this.#findFirst(name, of) : this.find(name, of, pick)
      return knownScalar !== undefined && (typeof knownScalar === typeof value || value === undefined)
        ? knownScalar
        : value
    }
    return {
      params: fill(input.params, '') as ArbitraryInput['params'],
      query: (isPlain ? {} : fill(input.query, '')) as ArbitraryInput['query'],
      body: fill(input.body, ''),
    }
  }
}
