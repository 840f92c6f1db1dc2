import type { Endpoint } from '@trellis/contract/core/endpoint'
import type { ErrorSource } from '@trellis/contract/core/errors'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../platform/app-error.ts'
import { UNSTORABLE_TEXT, findUnstorableText } from './unstorable-text.ts'

type Part = 'params' | 'query' | 'body'

export function parseInput(endpoint: Endpoint, request: FastifyRequest): { query: unknown; body: unknown } {
  return {
    query: parsePart(endpoint.query, request.query, 'query'),
    body: parsePart(endpoint.body, request.body, 'body'),
  }
}

export function parsePart(schema: z.core.$ZodType | undefined, value: unknown, part: Part): unknown {
  if (!schema) return undefined
  if (part === 'body' && (value === undefined || value === null)) {
    throw new AppError('invalid_request', 'A JSON body is needed.', { source: { pointer: '/' } })
  }
  const unstorable = findUnstorableText(value)
  if (unstorable) throw toRefusal(part, { path: unstorable, message: UNSTORABLE_TEXT })
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const issue = deepestIssue(parsed.error.issues)
  throw toRefusal(part, { path: issue.path.map(String), message: issue.message })
}

function toRefusal(part: Part, { path, message }: { path: string[]; message: string }): AppError {
  // A malformed identifier gets the same answer as an unknown one.
  if (part === 'params')
    return new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  const source: ErrorSource = part === 'query' ? { parameter: path.join('.') } : { pointer: `/${path.join('/')}` }
  const name = path.join('.')
  return new AppError('invalid_request', name ? `${name}: ${message}` : message, { source })
}

/** Of a union's branches, the deepest issue is most likely the intended one. */
function deepestIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const first = issues[0] as z.core.$ZodIssue
  if (first.code !== 'invalid_union') return first
  const branches = first.errors.map((branch) => deepestIssue(branch)).filter((issue) => issue !== undefined)
  return (
    branches.find((issue) => issue.code !== 'unrecognized_keys' && issue.code !== 'invalid_type') ??
    branches[0] ??
    first
  )
}
