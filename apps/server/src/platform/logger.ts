import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

const HIDDEN = new Set([
  'password',
  'new_password',
  'current_password',
  'confirmation_code',
  'second_factor',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
])
/** Codes sent by mail and codes of single sign-on; those of errors stay readable. */
const SECRET_CODE = /^\d+$|^\S{20,}$/
const LEVELS = 4

/** One JSON object a line. Values under names that carry secrets are cut out wherever they stand in the first levels. */
export function createLogger(options: { level: string; role: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { role: options.role },
      timestamp: pino.stdTimeFunctions.isoTime,
      // The library's own redaction also runs for every child logger, which each request makes.
      formatters: { level: (label) => ({ level: label }), log: (line) => hideSecrets(line, LEVELS) },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  )
}

function hideSecrets(value: Record<string, unknown>, levels: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideValue(name, inner, levels)]))
}

function hideValue(name: string, value: unknown, levels: number): unknown {
  if (HIDDEN.has(name) && value !== undefined) return '[hidden]'
  if (name === 'code' && typeof value === 'string' && SECRET_CODE.test(value)) return '[hidden]'
  if (value instanceof Error || typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((one) => hideValue('', one, levels - 1))
  return isPlain(value) ? hideSecrets(value as Record<string, unknown>, levels - 1) : value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
