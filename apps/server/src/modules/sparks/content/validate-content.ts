import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { MAX_SPARK_CONTENT_BYTES } from '@trellis/contract/sparks/sparks.schemas'
import { AppError } from '../../../platform/app-error.ts'
import { findValueProblem } from './parameter-values.ts'

const CONTENT = '/content'

const throwInvalid = (message: string, pointer: string): never => {
  throw new AppError('invalid_request', message, { source: { pointer: `${CONTENT}${pointer}` } })
}

/** Checks uniqueness and references, which the schema cannot. */
export function validateContent(content: SparkContent): void {
  if (Buffer.byteLength(JSON.stringify(content)) > MAX_SPARK_CONTENT_BYTES) {
    throwInvalid(`A spark can have ${MAX_SPARK_CONTENT_BYTES / 1024} KB. Shorten its code or its queries.`, '')
  }
  const sources = collectKeys(content.sources, 'sources', 'source')
  const parameters = collectKeys(content.parameters, 'parameters', 'parameter')
  for (const [at, parameter] of content.parameters.entries()) {
    const problem = findValueProblem(parameter, parameter.initial)
    if (problem) throwInvalid(problem, `/parameters/${at}/initial`)
    if (parameter.options_from !== null && !sources.has(parameter.options_from)) {
      throwInvalid(`There is no source ${parameter.options_from}.`, `/parameters/${at}/options_from`)
    }
  }
  if (content.body.kind === 'code') return
  for (const [at, block] of content.body.blocks.entries()) {
    const place = `/body/blocks/${at}`
    if ('source' in block && !sources.has(block.source))
      throwInvalid(`There is no source ${block.source}.`, `${place}/source`)
    if (block.kind !== 'filters') continue
    const missing = block.parameters.find((key) => !parameters.has(key))
    if (missing !== undefined) throwInvalid(`There is no parameter ${missing}.`, `${place}/parameters`)
  }
}

function collectKeys(items: readonly { readonly key: string }[], list: string, word: string): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const [at, { key }] of items.entries()) {
    if (keys.has(key)) throwInvalid(`There are two ${word}s with the key ${key}.`, `/${list}/${at}/key`)
    keys.add(key)
  }
  return keys
}
