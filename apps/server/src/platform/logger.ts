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
const SECRET_CODE = /^\d+$|^\S{20,}$/
const LEVELS = 4

/** JSON lines; values of secret-bearing names are redacted in the first levels. */
export function createLogger(options: { level: string; role: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { role: options.role },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Pino's own redaction would be compiled for every request's child logger.
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
  if (Array.isArray(value)) return value.map((item) => hideValue('', item, levels - 1))
  return isPlain(value) ? hideSecrets(value as Record<string, unknown>, levels - 1) : value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
