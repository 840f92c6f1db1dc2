import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Problem } from '@trellis/contract/integrations/integrations.schemas'
import { AppError } from '../../../platform/app-error.ts'
import { OutgoingProblem } from '../../../platform/safe-http/problem.ts'
import type { Scrub } from './scrub.ts'

const BROKEN = {
  message: 'Something went wrong on our side while working with the connected system.',
  advice: 'Try again. If it stays, ask whoever runs this Trellis to look into the log.',
}
const MAX_CHARACTERS = 2000

export function toProblem(error: unknown, scrub: Scrub): Problem {
  const { kind, message, advice, field } = toReadableProblem(error)
  return {
    kind,
    message: scrub.text(message).slice(0, MAX_CHARACTERS),
    advice: advice === null ? null : scrub.text(advice).slice(0, MAX_CHARACTERS),
    field,
  }
}

function toReadableProblem(error: unknown): Problem {
  if (error instanceof ConnectorError) {
    const { kind, message, advice = null, field = null } = error
    return { kind, message, advice, field }
  }
  if (error instanceof OutgoingProblem) {
    const isOurs = error.code === 'unreachable' || error.code === 'timed_out'
    return { kind: isOurs ? 'transient' : 'configuration', message: error.message, advice: null, field: null }
  }
  if (error instanceof AppError) {
    const kind = error.status >= 500 ? 'transient' : 'configuration'
    return { kind, message: error.message, advice: null, field: null }
  }
  return { kind: 'system', ...BROKEN, field: null }
}

export const isUnexpected = (error: unknown) =>
  !(error instanceof ConnectorError || error instanceof OutgoingProblem || error instanceof AppError)

/** A driver's error may contain its input in message, stack and cause. */
export function scrubbedError(error: unknown, scrub: Scrub): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: scrub.text(String(error)) }
  return {
    name: error.name,
    message: scrub.text(error.message),
    ...(error.stack !== undefined && { stack: scrub.text(error.stack) }),
  }
}

export function formatProblem({ message, advice }: Problem): string {
  return advice === null ? message : `${message} ${advice}`
}
